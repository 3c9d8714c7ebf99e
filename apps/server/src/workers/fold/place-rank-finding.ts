import type { Finding, FindingPlace, RankPlacement } from "@trainwatch/core";
import type { FindingRun, PlacedFinding } from "./placed-finding.ts";

const NOWHERE: FindingPlace = { rank: null, gpuId: null, nodeId: null, host: null };

/** A finding of a run's own detectors. One that names a rank gets the GPU and the node on which it runs, as far as anybody has told. */
export function placeRankFinding(finding: Finding, run: FindingRun, placements: readonly RankPlacement[]): PlacedFinding {
  const placed = { ...finding, place: placeOf(finding, placements) };
  return { finding: placed, shown: placed, run, attempt: finding.attempt };
}

function placeOf({ place, subject }: Finding, placements: readonly RankPlacement[]): FindingPlace | null {
  const rank = place?.rank ?? (subject.kind === "rank" && /^\d+$/.test(subject.id) ? Number(subject.id) : null);
  if (rank === null) return place;
  const found = placements.find((each) => each.rank === rank);
  const told = place ?? NOWHERE;
  return {
    rank,
    gpuId: told.gpuId ?? found?.gpuId ?? null,
    nodeId: told.nodeId ?? found?.nodeId ?? null,
    host: told.host ?? found?.host ?? null,
  };
}

import type { Evidence } from "@trainwatch/core";
import { evidence } from "../finding/make-finding.ts";
import type { Cohorts } from "./cohorts.ts";

/** Who the rank was compared with, as evidence: where nobody told the layout, that speaks against every comparison. */
export function cohortEvidence(cohorts: Cohorts, rank: number): Evidence {
  const cohort = cohorts.of[rank] ?? -1;
  const peers = cohort < 0 ? 0 : (cohorts.starts[cohort + 1] ?? 0) - (cohorts.starts[cohort] ?? 0) - 1;
  if (cohorts.by === null)
    return evidence(
      "against",
      "No layout is known: all ranks are one cohort, though they may not do the same work",
      peers,
      "peers",
      "placements",
    );
  const text = `Compared with ${peers} peers of the same ${cohorts.by}`;
  return cohorts.caveat === null
    ? evidence("for", text, peers, "peers", "placements")
    : evidence("against", `${text}: ${cohorts.caveat}`, peers, "peers", "placements");
}

/** `3`, `3 and 4`, `3, 4 and 5`, `3, 4, 5 and 12 more`. */
export function sayRanks(ranks: readonly number[]): string {
  const shown = ranks.slice(0, ranks.length > 4 ? 3 : 4).map(String);
  const last = ranks.length > 4 ? `${ranks.length - 3} more` : shown.pop();
  return shown.length === 0 ? (last ?? "none") : `${shown.join(", ")} and ${last}`;
}

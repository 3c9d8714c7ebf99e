import { AppError, metricRuleDetector, type DetectorFamily, type Rule } from "@trainwatch/core";
import {
  checkParameters,
  CLOCK_DETECTORS,
  createMetricRule,
  DETECTORS,
  FLEET_DETECTORS,
  RANK_DETECTORS,
  type DetectorEntry,
  type FleetDetectorEntry,
  type RankDetectorEntry,
} from "@trainwatch/detect";

/** What a rule would set to work. */
export type Tried =
  | { readonly kind: "series"; readonly family: DetectorFamily | "metric"; readonly entry: DetectorEntry }
  | { readonly kind: "rank"; readonly family: "rank"; readonly entry: RankDetectorEntry }
  | { readonly kind: "fleet"; readonly family: "fleet"; readonly entry: FleetDetectorEntry };

/** @throws AppError `bad-request` for a detector that is not there, that has no such parameters, or that stored samples cannot bring back */
export function findDetector(rule: Rule): Tried {
  if (rule.kind === "metric") return { kind: "series", family: "metric", entry: createMetricRule({ ...rule, id: metricRuleDetector(0) }) };
  const { detector, parameters } = rule;
  const has = ({ id }: { readonly id: string }): boolean => id === detector;
  if (CLOCK_DETECTORS.some(has))
    throw new AppError(
      "bad-request",
      `Detector ${detector} is told by the clock, and stored samples do not say when nothing came. It cannot be tried on them.`,
    );
  const tried = triedOf(DETECTORS.find(has), RANK_DETECTORS.find(has), FLEET_DETECTORS.find(has));
  if (tried === null) throw new AppError("bad-request", `There is no detector ${JSON.stringify(detector)}.`);
  checkParameters(tried.entry, parameters);
  return tried;
}

function triedOf(
  series: DetectorEntry | undefined,
  rank: RankDetectorEntry | undefined,
  fleet: FleetDetectorEntry | undefined,
): Tried | null {
  if (series !== undefined) return { kind: "series", family: "training", entry: series };
  if (rank !== undefined) return { kind: "rank", family: "rank", entry: rank };
  return fleet === undefined ? null : { kind: "fleet", family: "fleet", entry: fleet };
}

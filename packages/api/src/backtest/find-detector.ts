import { AppError, metricRuleDetector, type DetectorFamily, type Rule } from "@trainwatch/core";
import {
  checkParameters,
  CLOCK_DETECTORS,
  createMetricRule,
  DETECTORS,
  FLEET_DETECTORS,
  RANK_DETECTORS,
  type ClockDetectorEntry,
  type DetectorEntry,
  type FleetDetectorEntry,
  type RankDetectorEntry,
} from "@trainwatch/detect";

/** What a rule would set to work. */
export type Tried =
  | { readonly kind: "series"; readonly family: DetectorFamily | "metric"; readonly entry: DetectorEntry }
  | { readonly kind: "rank"; readonly family: "rank"; readonly entry: RankDetectorEntry }
  | { readonly kind: "clock"; readonly family: "clock"; readonly entry: ClockDetectorEntry }
  | { readonly kind: "fleet"; readonly family: "fleet"; readonly entry: FleetDetectorEntry };

/** @throws AppError `bad-request` for a detector that is not there, or that has no such parameters */
export function findDetector(rule: Rule): Tried {
  if (rule.kind === "metric") return { kind: "series", family: "metric", entry: createMetricRule({ ...rule, id: metricRuleDetector(0) }) };
  const { detector, parameters } = rule;
  const has = ({ id }: { readonly id: string }): boolean => id === detector;
  const tried = triedOf(DETECTORS.find(has), RANK_DETECTORS.find(has), CLOCK_DETECTORS.find(has), FLEET_DETECTORS.find(has));
  if (tried === null) throw new AppError("bad-request", `There is no detector ${JSON.stringify(detector)}.`);
  checkParameters(tried.entry, parameters);
  return tried;
}

function triedOf(
  series: DetectorEntry | undefined,
  rank: RankDetectorEntry | undefined,
  clock: ClockDetectorEntry | undefined,
  fleet: FleetDetectorEntry | undefined,
): Tried | null {
  if (series !== undefined) return { kind: "series", family: "training", entry: series };
  if (rank !== undefined) return { kind: "rank", family: "rank", entry: rank };
  if (clock !== undefined) return { kind: "clock", family: "clock", entry: clock };
  return fleet === undefined ? null : { kind: "fleet", family: "fleet", entry: fleet };
}

import type { DetectorParameter } from "../../contract.ts";
import type { ParameterValues } from "../../parameters.ts";

/** What all detectors of times by rank share: the fast sum of detection.md B.4 on one side, and C.4's share from which slowness matters. */
export const TIME_PARAMETERS = [
  { name: "k", value: 1, unit: "σ", meaning: "Reference value of the sum: half of the shift found soonest" },
  { name: "h", value: 20, unit: "σ", meaning: "Sum at which the alarm is raised" },
  { name: "clip", value: 4, unit: "σ", meaning: "Scores are clipped to this, so that one pause cannot raise the alarm", least: 2 },
  { name: "material", value: 0.1, unit: "share", meaning: "Slowness below this share is nobody's matter", least: 0.01, most: 1 },
  { name: "half_life", value: 23, unit: "steps", meaning: "Half-life of the cohort's pooled MAD", least: 4 },
  { name: "offset_rate", value: 0.002, unit: "per step", meaning: "Rate at which a rank's standing offset follows it", most: 0.1 },
  { name: "warm_up", value: 32, unit: "steps", meaning: "Steps of a rank before it is judged", least: 16, most: 4_096 },
  { name: "scale_floor", value: 0.005, unit: "share", meaning: "Least scale: times are not known better" },
  {
    name: "crowd",
    value: 0.02,
    unit: "share of the ranks",
    meaning: "More ranks or nodes than this (and 8) at once are no single device",
    most: 1,
  },
] as const satisfies readonly DetectorParameter[];

export type TimeRules = ParameterValues<typeof TIME_PARAMETERS>;

/** For times of ranks: a node stands for its ranks. */
export const NODE_PARAMETERS = [
  {
    name: "node_share",
    value: 0.75,
    unit: "share of its ranks",
    meaning: "So many ranks of a node slow together are the node",
    least: 0.1,
    most: 1,
  },
] as const satisfies readonly DetectorParameter[];

export type RankTimeRules = TimeRules & ParameterValues<typeof NODE_PARAMETERS>;

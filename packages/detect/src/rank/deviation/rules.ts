import type { DetectorParameter } from "../../contract.ts";
import type { ParameterValues } from "../../parameters.ts";

/**
 * Two winsorised CUSUMs, both signs, as detection.md B.4. Its h of 18.5 and 32.5 give one alarm in 1e10 steps for each of them; four sums on each of
 * 16,384 × 6 streams would then alarm 0.37 times a day, the uncertainty of the standing offsets included. These h make it 0.056 (false-alarms.test.ts).
 */
export const DEVIATION_PARAMETERS = [
  { name: "fast_k", value: 1, unit: "σ", meaning: "Reference value of the fast sum: half of the shift found soonest" },
  { name: "fast_h", value: 20, unit: "σ", meaning: "Fast sum at which the alarm is raised" },
  { name: "slow_k", value: 0.5, unit: "σ", meaning: "Reference value of the slow sum, for faults on some of the steps" },
  { name: "slow_h", value: 36, unit: "σ", meaning: "Slow sum at which the alarm is raised" },
  { name: "fast_page", value: 30, unit: "σ", meaning: "Fast sum at which the deviation pages" },
  { name: "slow_page", value: 55, unit: "σ", meaning: "Slow sum at which the deviation pages" },
  {
    name: "clip",
    value: 4,
    unit: "σ",
    meaning: "Scores are clipped to this: a bad batch on one rank reaches 8 to 20 σ once in 640 steps",
    least: 2,
  },
  { name: "half_life", value: 23, unit: "steps", meaning: "Half-life of the cohort's pooled MAD", least: 4 },
  { name: "offset_rate", value: 0.002, unit: "per step", meaning: "Rate at which a rank's standing offset follows it", most: 0.1 },
  { name: "warm_up", value: 64, unit: "steps", meaning: "Steps of a rank before it is judged", least: 16, most: 4_096 },
  { name: "scale_floor", value: 0.0001, unit: "log units", meaning: "Least scale, beside half a step of the printed grid" },
  { name: "crowd", value: 0.02, unit: "share of the ranks", meaning: "More ranks than this (and 8) at once are no single device", most: 1 },
  {
    name: "again",
    value: 7,
    unit: "days",
    meaning: "A second alarm on the same rank within this pages; of 8,640 steps each where no time is known",
  },
] as const satisfies readonly DetectorParameter[];

export type DeviationRules = ParameterValues<typeof DEVIATION_PARAMETERS>;

/** Steps of a day where no time is known: of 10 s each, as detection.md counts them. */
export const STEPS_A_DAY = 8_640;
export const DAY_MS = 86_400_000;

/** Steps after which the offset's uncertainty is what it stays at: 2 / rate. */
export const settledSteps = (offsetRate: number): number => Math.round(2 / offsetRate);

/** What `offsetAllowance` adds for each sum: c · v / 2 with v = 1.45, the variance of t4 scores clipped at 4, and c = 16.5 and 39.5, by which ln(run length) changes per sigma. */
export const ALLOWANCE = { fast: 12, slow: 28.6 } as const;

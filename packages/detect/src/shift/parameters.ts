import type { CusumDesign } from "@trainwatch/stats";

/** What the level-shift engine needs to know of a metric. Lengths are in logged samples unless they say steps. */
export interface ShiftParameters {
  readonly design: CusumDesign;
  /** Samples of the baseline, and how many of the newest are kept out of it (detection.md A.2). */
  readonly window: number;
  readonly lag: number;
  /** Fewest samples a baseline may rest on. */
  readonly minWindow: number;
  /** Least scale: half a grid step of the printed values, and this on the judged scale (detection.md A.2). */
  readonly scaleFloor: number;
  /** Longest that a sum may build up before the baseline thaws again. */
  readonly maxRise: number;
  /** After so many steps and so many samples without recovery, waiting is over (detection.md A.5, E.4). */
  readonly waitSteps: number;
  readonly waitSamples: number;
  /** A level so far out, in sigma and on the judged log scale, is a divergence and no shift. */
  readonly divergedSigma: number;
  readonly divergedLog: number;
  /** A level that still climbs when waiting is over is one from this height on (log scale). */
  readonly climbingLog: number;
}

export const SHIFT_PARAMETERS = {
  design: { k: 1, h: 10, clip: 4 },
  window: 128,
  lag: 16,
  minWindow: 16,
  scaleFloor: 1e-4,
  maxRise: 128,
  waitSteps: 300,
  waitSamples: 24,
  divergedSigma: 10,
  divergedLog: Math.log(1.1),
  climbingLog: Math.log(1.03),
} satisfies ShiftParameters;

/** Samples kept: the baseline, its lag, and as much again as the onset posterior looks back over. */
export function ringCapacity(parameters: ShiftParameters): number {
  return parameters.window + parameters.lag + 16;
}

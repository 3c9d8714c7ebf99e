import type { CusumDesign } from "@trainwatch/stats";
import type { DetectorParameter } from "../contract.ts";

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

/** Names under which a rule overrides the engine. */
type ShiftParameterName =
  | "k"
  | "h"
  | "clip"
  | "window"
  | "lag"
  | "min_window"
  | "scale_floor"
  | "wait"
  | "wait_points"
  | "diverged"
  | "diverged_ratio"
  | "climbing_ratio";
type ShiftNumbers = Readonly<Record<ShiftParameterName, number>>;

export const SHIFT_DEFAULTS = {
  k: 1,
  h: 10,
  clip: 4,
  window: 128,
  lag: 16,
  min_window: 16,
  scale_floor: 1e-4,
  wait: 300,
  wait_points: 24,
  diverged: 10,
  diverged_ratio: 1.1,
  climbing_ratio: 1.03,
} satisfies ShiftNumbers;

const MAX_RISE = 128;
/** Fits cost the square of the window, and rings are part of every stored state. */
const MOST_WINDOW = 1_024;

/** The engine under these numbers. */
export function shiftEngine(numbers: ShiftNumbers): ShiftParameters {
  return {
    design: { k: numbers.k, h: numbers.h, clip: numbers.clip },
    window: numbers.window,
    lag: numbers.lag,
    minWindow: numbers.min_window,
    scaleFloor: numbers.scale_floor,
    maxRise: MAX_RISE,
    waitSteps: numbers.wait,
    waitSamples: numbers.wait_points,
    divergedSigma: numbers.diverged,
    divergedLog: Math.log(numbers.diverged_ratio),
    climbingLog: Math.log(numbers.climbing_ratio),
  };
}

/** The engine's parameters as a detector's manual lists them. */
export function shiftParameters(defaults: ShiftNumbers) {
  return [
    { name: "k", value: defaults.k, unit: "σ", meaning: "Reference value: half of the shift found soonest" },
    { name: "h", value: defaults.h, unit: "σ", meaning: "Sum at which the alarm is raised" },
    { name: "clip", value: defaults.clip, unit: "σ", meaning: "Scores are clipped to this, so that one point cannot raise the alarm" },
    {
      name: "window",
      value: defaults.window,
      unit: "logged points",
      meaning: "Length of the baseline; shorter logs get one in proportion",
      least: 16,
      most: MOST_WINDOW,
    },
    {
      name: "lag",
      value: defaults.lag,
      unit: "logged points",
      meaning: "Newest points kept out of the baseline",
      least: 2,
      most: MOST_WINDOW,
    },
    {
      name: "min_window",
      value: defaults.min_window,
      unit: "logged points",
      meaning: "Fewest points a baseline may rest on",
      least: 8,
      most: MOST_WINDOW,
    },
    {
      name: "scale_floor",
      value: defaults.scale_floor,
      unit: "log units",
      meaning: "Least scale, beside half a step of the printed grid",
    },
    { name: "wait", value: defaults.wait, unit: "steps", meaning: "After so long without recovery waiting is over" },
    { name: "wait_points", value: defaults.wait_points, unit: "logged points", meaning: "And after at least so many points" },
    { name: "diverged", value: defaults.diverged, unit: "σ", meaning: "A level so far out after the wait is a divergence" },
    { name: "diverged_ratio", value: defaults.diverged_ratio, unit: "× baseline", meaning: "And at least so high", least: 1 },
    {
      name: "climbing_ratio",
      value: defaults.climbing_ratio,
      unit: "× baseline",
      meaning: "Or so high and still climbing after the wait",
      least: 1,
    },
  ] as const satisfies readonly DetectorParameter[];
}

/** Samples kept: the baseline, its lag, and as much again as the onset posterior looks back over. */
export function ringCapacity(parameters: ShiftParameters): number {
  return parameters.window + parameters.lag + 16;
}

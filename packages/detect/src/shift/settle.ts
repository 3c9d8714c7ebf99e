import type { ValueScale } from "../series/value-scale.ts";
import { levelShiftOf } from "./level-shift.ts";
import type { ShiftParameters } from "./parameters.ts";
import { sliceBySteps } from "../series/sample-ring.ts";
import type { OpenShift } from "./shift-state.ts";

/** Block medians within this many sigma of the baseline are back (detection.md A.5). */
const BAND_SIGMA = 2;
/** But a remainder of so many standard errors, and of so many sigma, is a new level and no recovery (F8). */
const REMAINDER_ERRORS = 3;
const REMAINDER_SIGMA = 0.75;
/** Medians that agree to this, in sigma or as a share of their height, have settled. */
const SETTLED_SIGMA = 1.5;
const SETTLED_SHARE = 0.15;
const BLOCKS_TO_SETTLE = 6;

export type Settling = "open" | "recovered" | "shifted" | "diverged";

/**
 * How an excursion stands after one more block: back in the band for three blocks, settled elsewhere, so far out for so long that waiting is over, or open.
 */
export function judgeSettling(scale: ValueScale, open: OpenShift, parameters: ShiftParameters): Settling {
  const [first, , third] = open.medians.slice(-3);
  if (first === undefined || third === undefined) return "open";
  const newest = open.medians.slice(-3);
  if (newest.every((level) => level <= BAND_SIGMA)) return judgeRemainder(scale, open, first - third);
  const waited = hasWaited(open, parameters);
  const height = Math.max(...newest);
  if (waited && isFarOut(Math.min(...newest), open.baseline.sigma, scale, parameters)) return "diverged";
  if (waited && third > 2 * BAND_SIGMA && third - first > 1 && newest.every((level, index) => index === 0 || level > (newest[index - 1] ?? 0))) return "diverged";
  const settled = open.medians.length >= BLOCKS_TO_SETTLE && spread(open.medians.slice(-4)) <= Math.max(SETTLED_SIGMA, SETTLED_SHARE * height);
  return settled && !isFarOut(third, open.baseline.sigma, scale, parameters) ? "shifted" : "open";
}

function judgeRemainder(scale: ValueScale, open: OpenShift, fall: number): Settling {
  const blocks = sliceBySteps(open.recent, open.recent.steps.at(-3 * Math.floor(open.sinceAlarm / open.medians.length)) ?? 0, Number.POSITIVE_INFINITY);
  const left = levelShiftOf(scale, open, blocks);
  if (left === null || left.value <= REMAINDER_ERRORS * left.standardError || left.sigma <= REMAINDER_SIGMA) return "recovered";
  const stillFalling = fall > 1;
  return stillFalling || open.medians.length < BLOCKS_TO_SETTLE ? "open" : "shifted";
}

/** So far above the baseline that it is no shift: in sigma, and on a log scale also as a share of the loss. */
export function isFarOut(levelSigma: number, sigma: number, scale: ValueScale, parameters: ShiftParameters): boolean {
  return levelSigma >= parameters.divergedSigma && (scale === "linear" || levelSigma * sigma >= parameters.divergedLog);
}

function hasWaited(open: OpenShift, parameters: ShiftParameters): boolean {
  return open.record.lastStep - open.record.onsetStep >= parameters.waitSteps && open.sinceAlarm >= parameters.waitSamples;
}

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

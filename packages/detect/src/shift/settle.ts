import { median } from "@trainwatch/stats";
import { sliceBySteps } from "../series/sample-ring.ts";
import type { ValueScale } from "../series/value-scale.ts";
import { levelShiftOf } from "./level-shift.ts";
import type { ShiftParameters } from "./parameters.ts";
import type { OpenShift } from "./shift-state.ts";

/** Block medians within this many sigma of the baseline are back (detection.md A.5). */
const BAND_SIGMA = 2;
/** Blocks in a row that must be back, or have settled. */
const BLOCKS_BACK = 3;
const BLOCKS_TO_SETTLE = 8;
/** Blocks after which a remainder that is neither plain nor nil is decided by what there is. */
const BLOCKS_TO_DECIDE = 12;
/** A remainder of so many standard errors is plain (F8), of so few is nil; at the last block the middle decides. */
const PLAIN_ERRORS = 3;
const LIKELY_ERRORS = 2;
const NIL_ERRORS = 1.5;
/** And below so many sigma it does not matter. */
const REMAINDER_SIGMA = 0.75;
/** A block so much higher than the newest is still melting away. */
const MELTED_SIGMA = 0.5;
/** Mean fall from one half of the newest six blocks to the other below which nothing melts any more. */
const STILL_SIGMA = 0.5;
const STILL_BLOCKS = 6;
/** Medians that agree to this, in sigma or as a share of their height, have settled. */
const SETTLED_SIGMA = 1.5;
const SETTLED_SHARE = 0.15;

export type Settling = "open" | "recovered" | "shifted" | "diverged";

/**
 * How an excursion stands after one more block: back in the band for three blocks, settled elsewhere, so far out for so long that waiting is over, or open.
 */
export function judgeSettling(scale: ValueScale, open: OpenShift, parameters: ShiftParameters): Settling {
  const newest = open.medians.slice(-BLOCKS_BACK);
  const [first] = newest;
  const third = newest[BLOCKS_BACK - 1];
  if (first === undefined || third === undefined) return "open";
  if (newest.every((level) => level <= BAND_SIGMA)) return judgeRemainder(scale, open);
  const waited = hasWaited(open, parameters);
  const height = Math.max(...newest);
  if (waited && isFarOut(Math.min(...newest), open.baseline.sigma, scale, parameters)) return "diverged";
  if (waited && isClimbing(newest) && isHigh(third, open.baseline.sigma, scale, parameters)) return "diverged";
  const settled = isStill(open.medians) && spread(open.medians.slice(-4)) <= Math.max(SETTLED_SIGMA, SETTLED_SHARE * height);
  return settled && !isFarOut(third, open.baseline.sigma, scale, parameters) ? "shifted" : "open";
}

/** Back in the band, but at the old level? A remainder that is still melting away, or not yet plain, is waited for. */
function judgeRemainder(scale: ValueScale, open: OpenShift): Settling {
  const left = levelShiftOf(scale, open, sliceBySteps(open.recent, settledFrom(open, true), Number.POSITIVE_INFINITY));
  if (left === null) return "recovered";
  const errors = left.value / left.standardError;
  if (errors < NIL_ERRORS || left.sigma < REMAINDER_SIGMA) return "recovered";
  if (errors > PLAIN_ERRORS && isStill(open.medians)) return "shifted";
  if (open.medians.length < BLOCKS_TO_DECIDE) return "open";
  return errors > LIKELY_ERRORS ? "shifted" : "recovered";
}

/** Whether the level has stopped falling. */
function isStill(medians: readonly number[]): boolean {
  if (medians.length < BLOCKS_TO_SETTLE) return false;
  const newest = medians.slice(-STILL_BLOCKS);
  const half = STILL_BLOCKS / 2;
  return mean(newest.slice(0, half)) - mean(newest.slice(half)) <= STILL_SIGMA;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** First step of the settled samples: of the newest blocks that are back and no higher than the last three (a tail still melting is left out), else of the newest four. */
export function settledFrom(open: OpenShift, isBack: boolean): number {
  const samples = (isBack ? blocksBack(open.medians) : BLOCKS_BACK + 1) * blockLength(open) + open.block.length;
  return open.recent.steps.at(-samples) ?? open.recent.steps[0] ?? Number.NEGATIVE_INFINITY;
}

function blocksBack(medians: readonly number[]): number {
  const limit = Math.min(BAND_SIGMA, median(medians.slice(-BLOCKS_BACK)) + MELTED_SIGMA);
  let blocks = Math.min(BLOCKS_BACK, medians.length);
  while (blocks < medians.length && (medians.at(-1 - blocks) ?? Number.POSITIVE_INFINITY) <= limit) blocks++;
  return Math.max(blocks, 1);
}

/** Samples in a block of which the median is judged: eight (detection.md A.5), four where the baseline itself is short. */
export function blockLength(open: OpenShift): number {
  return open.baseline.samples >= 64 ? 8 : 4;
}

/** So far above the baseline that it is no shift: in sigma, and on a log scale also as a share of the loss. */
export function isFarOut(levelSigma: number, sigma: number, scale: ValueScale, parameters: ShiftParameters): boolean {
  return levelSigma >= parameters.divergedSigma && (scale === "linear" || levelSigma * sigma >= parameters.divergedLog);
}

/** Each of the newest blocks above the one before, and by more than noise. */
function isClimbing(newest: readonly number[]): boolean {
  const rise = (newest.at(-1) ?? 0) - (newest[0] ?? 0);
  return rise > 1 && newest.every((level, index) => index === 0 || level > (newest[index - 1] ?? 0));
}

function isHigh(levelSigma: number, sigma: number, scale: ValueScale, parameters: ShiftParameters): boolean {
  return levelSigma > 2 * BAND_SIGMA && (scale === "linear" || levelSigma * sigma >= parameters.climbingLog);
}

function hasWaited(open: OpenShift, parameters: ShiftParameters): boolean {
  return open.record.lastStep - open.record.onsetStep >= parameters.waitSteps && open.sinceAlarm >= parameters.waitSamples;
}

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

import { averageRunLength, poissonCdf, scaledT4Cdf } from "@trainwatch/stats";
import type { CusumDesign } from "@trainwatch/stats";
import { STEPS_A_DAY } from "./deviation/rules.ts";

/** A cohort of rank detectors at work: steps of 10 s, as detection.md B.4 counts. */
export interface Fleet {
  readonly ranks: number;
  readonly metrics: number;
}

/** Cells of the normal distribution over which the uncertainty of the offset is summed, and how far they reach. */
const CELLS = 24;
const REACH = 5;

/**
 * Alarms a day that chance raises in one-sided sums, one on each stream: streams × steps over the exact run length (Brook & Evans) under the t4 null, averaged over how far a rank's
 * standing offset may be off. That offset is a moving average of clipped scores and so itself noise; the sum of slow drift feels it most.
 *
 * @param offsetRate share by which the offset follows at each step; its variance is that of a clipped score times rate / (2 - rate)
 */
export function sumAlarmsADay(design: CusumDesign, { ranks, metrics }: Fleet, offsetRate: number): number {
  const deviation = Math.sqrt((clippedVariance(design.clip) * offsetRate) / (2 - offsetRate));
  let rate = 0;
  let weight = 0;
  for (let cell = 0; cell < CELLS; cell++) {
    const x = REACH * ((2 * (cell + 0.5)) / CELLS - 1);
    const density = Math.exp(-(x * x) / 2);
    rate += density / averageRunLength(design, (score) => scaledT4Cdf(score - x * deviation), 200);
    weight += density;
  }
  return (ranks * metrics * STEPS_A_DAY * rate) / weight;
}

/** Variance of a t4 score, scaled to its MAD, that is clipped at ±clip. */
function clippedVariance(clip: number): number {
  const cells = 2_000;
  let sum = 0;
  for (let cell = 0; cell < cells; cell++) {
    // E[min(x, clip)²] = ∫ 2 x P(|X| > x) dx from 0 to clip.
    const x = (clip * (cell + 0.5)) / cells;
    sum += 2 * x * 2 * (1 - scaledT4Cdf(x)) * (clip / cells);
  }
  return sum;
}

/** Findings a day that chance raises in counters of exceedances, one a stream: an exceedance that finds `count` - 1 others in the day before it. */
export function countAlarmsADay(z: number, count: number, { ranks, metrics }: Fleet): number {
  const mean = (1 - scaledT4Cdf(z)) * STEPS_A_DAY;
  return ranks * metrics * mean * (1 - poissonCdf(count - 2, mean));
}

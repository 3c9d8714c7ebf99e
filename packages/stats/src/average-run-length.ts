import type { CusumDesign } from "./cusum.ts";
import { solveLinear } from "./linear-system.ts";

/**
 * Exact average run length of a winsorised one-sided CUSUM until its first alarm, by the Markov chain of Brook & Evans 1972:
 * the sum is cut into `states` cells of width 2h / (2·states - 1), the first of them centred on zero, and (I - Q) ARL = 1 is solved.
 *
 * @param cdf distribution function of the scores before clipping, in sigma.
 * @returns expected number of samples from a sum of zero, the alarming sample included.
 */
export function averageRunLength(design: CusumDesign, cdf: (score: number) => number, states = 300): number {
  const { k, h, clip } = design;
  const width = (2 * h) / (2 * states - 1);
  /** P(clipped score - k ≤ move). */
  const moveCdf = (move: number): number => {
    const score = move + k;
    if (score < -clip) return 0;
    return score >= clip ? 1 : cdf(score);
  };
  const matrix = new Float64Array(states * states);
  for (let from = 0; from < states; from++) {
    for (let to = 0; to < states; to++) {
      const upper = moveCdf((to - from + 0.5) * width);
      const lower = to === 0 ? 0 : moveCdf((to - from - 0.5) * width);
      matrix[from * states + to] = (from === to ? 1 : 0) - (upper - lower);
    }
  }
  return solveLinear(matrix, new Float64Array(states).fill(1))[0] ?? Number.NaN;
}

/** Where h is stepped up until it brackets the target: far beyond it (I - Q) is singular to double precision. */
const H_STEP = 1;
const H_LIMIT = 128;

/**
 * Smallest decision interval h, to `tolerance`, at which the in-control average run length reaches `target` (at most about 1e11).
 * Bisection: the run length rises with h. NaN where no h up to 128 reaches it.
 */
export function decisionIntervalFor(
  target: number,
  design: Omit<CusumDesign, "h">,
  cdf: (score: number) => number,
  tolerance = 0.01,
): number {
  const reaches = (h: number): boolean => averageRunLength({ ...design, h }, cdf, 160) >= target;
  let high = H_STEP;
  while (!reaches(high)) {
    high += H_STEP;
    if (high > H_LIMIT) return Number.NaN;
  }
  let low = high - H_STEP;
  while (high - low > tolerance) {
    const h = (low + high) / 2;
    if (reaches(h)) high = h;
    else low = h;
  }
  return high;
}

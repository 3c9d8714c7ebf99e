import type { CusumDesign } from "./cusum.ts";

/**
 * Exact average run length of a winsorised one-sided CUSUM until its first alarm, by the Markov chain of Brook & Evans 1972:
 * the sum is cut into `states` cells of width 2h / (2·states - 1), the first of them centred on zero, and (I - Q) ARL = 1 is solved without a single
 * subtraction (state reduction of Grassmann, Taksar & Heyman 1985), so that it holds to full precision however long the run length is.
 *
 * @param cdf distribution function of the scores before clipping, in sigma.
 * @returns expected number of samples from a sum of zero, the alarming sample included; Infinity where no alarm can come.
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
  const moves = new Float64Array(states * states);
  const exits = new Float64Array(states);
  for (let from = 0; from < states; from++) {
    for (let to = 0; to < states; to++) {
      const upper = moveCdf((to - from + 0.5) * width);
      const lower = to === 0 ? 0 : moveCdf((to - from - 0.5) * width);
      moves[from * states + to] = upper - lower;
    }
    exits[from] = 1 - moveCdf((states - from - 0.5) * width);
  }
  return meanTimeToExit(moves, exits);
}

/** Mean number of moves until the chain leaves, from its first state. Both arguments are used up; what stays in place is never read. */
function meanTimeToExit(moves: Float64Array, exits: Float64Array): number {
  const states = exits.length;
  const times = new Float64Array(states).fill(1);
  for (let last = states - 1; last > 0; last--) {
    let leaving = exits[last] ?? 0;
    for (let to = 0; to < last; to++) leaving += moves[last * states + to] ?? 0;
    for (let from = 0; from < last; from++) {
      const share = (moves[from * states + last] ?? 0) / leaving;
      if (share === 0) continue;
      for (let to = 0; to < last; to++)
        moves[from * states + to] = (moves[from * states + to] ?? 0) + share * (moves[last * states + to] ?? 0);
      exits[from] = (exits[from] ?? 0) + share * (exits[last] ?? 0);
      times[from] = (times[from] ?? 0) + share * (times[last] ?? 0);
    }
  }
  return (times[0] ?? Number.NaN) / (exits[0] ?? Number.NaN);
}

/** Where h is stepped up until it brackets the target. */
const H_STEP = 1;
const H_LIMIT = 128;

/**
 * Smallest decision interval h, to `tolerance`, at which the in-control average run length reaches `target`.
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

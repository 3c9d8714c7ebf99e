import { quantileOfSorted } from "./quantile.ts";
import { normalDraw, seededRandom } from "./random.ts";
import type { Random } from "./random.ts";

export interface TrendInput {
  /** Ascending. */
  readonly steps: ArrayLike<number>;
  /** Higher is better (negate what is not); NaN: not evaluated, left out. */
  readonly values: ArrayLike<number>;
  /** Standard error of each value; null, or one missing: the noise is estimated from the values. */
  readonly errors: ArrayLike<number> | null;
  /** 0.9: the interval holds the true best checkpoint in at least 90 % of runs. */
  readonly level: number;
  readonly seed: number;
  readonly draws?: number;
}

export interface TrendPeak {
  /** Place of the highest value, and the first and last place that may be the best; places in the input. */
  readonly index: number;
  readonly lowIndex: number;
  readonly highIndex: number;
  /** Whether the highest value is the last one. */
  readonly isLast: boolean;
  /** Whether the last checkpoint is told from the best: false where the interval reaches the end, so no fall is shown. */
  readonly isSettled: boolean;
  /** Standard error of one value as used: the middle one. */
  readonly error: number;
  /** In words, for the page. */
  readonly method: string;
}

export interface NoTrendPeak {
  readonly why: string;
}

const DRAWS = 2_000;
/** Without errors: fewer points say too little about the noise between them. */
const POINTS_FOR_NOISE = 6;

/**
 * The best checkpoint of a series with its interval: all checkpoints that are not significantly below the highest one, by multiple comparisons with
 * the best (Hsu 1984; Gupta 1965). A checkpoint stays in if value ≥ max over others of (other − c · error of the difference), c such that the true
 * best one stays in with at least the level's chance even if all are alike. The interval is from the first to the last that stays.
 *
 * Chosen over a bootstrap of the place of the maximum: that one is wrong exactly on the plateaus of a saturating run, where the place of the maximum
 * has no limit for the bootstrap to find, and a smooth through the points moves the peak of a sharp turn. This asks nothing of the
 * curve's shape; the price is an interval as wide as the noise allows. Errors are taken as independent: on the same prompts it is too wide, never
 * too narrow.
 */
export function trendPeak({ steps, values, errors, level, seed, draws = DRAWS }: TrendInput): TrendPeak | NoTrendPeak {
  const places = Array.from({ length: values.length }, (_, place) => place).filter((place) => Number.isFinite(values[place]));
  if (places.length < 3) return { why: `Only ${places.length} of at least 3 checkpoints have a value.` };
  const known = errors === null ? null : places.map((place) => errors[place] ?? Number.NaN);
  const given = known?.every((error) => Number.isFinite(error) && error >= 0) === true ? known : null;
  if (given === null && places.length < POINTS_FOR_NOISE) {
    return { why: `Without standard errors a peak takes at least ${POINTS_FOR_NOISE} checkpoints; there are ${places.length}.` };
  }
  const heights = places.map((place) => values[place] ?? Number.NaN);
  const noise =
    given === null
      ? residualNoise(
          places.map((place) => steps[place] ?? Number.NaN),
          heights,
        )
      : null;
  const used = given ?? heights.map(() => noise?.error ?? 0);
  const critical = criticalValue(used, { level, draws, degrees: noise?.degrees ?? Number.POSITIVE_INFINITY, random: seededRandom(seed) });
  const best = heights.indexOf(Math.max(...heights));
  const kept = heights.flatMap((height, at) => (staysIn(height, at, { heights, errors: used, critical }) ? [at] : []));
  const [low, high] = [Math.min(best, kept[0] ?? best), Math.max(best, kept.at(-1) ?? best)];
  const last = heights.length - 1;
  return {
    index: places[best] ?? best,
    lowIndex: places[low] ?? low,
    highIndex: places[high] ?? high,
    isLast: best === last,
    isSettled: high < last,
    error: quantileOfSorted(Float64Array.from(used).sort(), 0.5),
    method:
      noise === null
        ? "Highest value; interval of all checkpoints that are not significantly below it (multiple comparisons with the best, Hsu 1984)"
        : "Highest value; interval of all checkpoints not significantly below it (Hsu 1984), noise estimated from neighbouring checkpoints since no standard errors are given",
  };
}

function staysIn(
  height: number,
  at: number,
  { heights, errors, critical }: { readonly heights: readonly number[]; readonly errors: readonly number[]; readonly critical: number },
): boolean {
  return heights.every((other, place) => place === at || height >= other - critical * Math.hypot(errors[at] ?? 0, errors[place] ?? 0));
}

/**
 * Standard deviation of the noise about a smooth curve, from each point's distance to the line through its neighbours (Gasser, Sroka &
 * Jennen-Steinmetz 1986), which asks for no smoothing width. Its square is as good as that of 18/35 · (points − 2) independent residuals.
 */
function residualNoise(steps: readonly number[], values: readonly number[]): { readonly error: number; readonly degrees: number } {
  let sum = 0;
  for (let at = 1; at < values.length - 1; at++) {
    const [before, here, after] = [steps[at - 1] ?? 0, steps[at] ?? 0, steps[at + 1] ?? 0];
    const share = after > before ? (here - before) / (after - before) : 0.5;
    const residual = (values[at] ?? 0) - (1 - share) * (values[at - 1] ?? 0) - share * (values[at + 1] ?? 0);
    sum += residual ** 2 / (1 + (1 - share) ** 2 + share ** 2);
  }
  const count = values.length - 2;
  return { error: Math.sqrt(sum / count), degrees: (18 / 35) * count };
}

/**
 * Quantile of max over the others of (their noise − its own) / error of the difference, for the checkpoint with the smallest error. It holds for every
 * other one too: the larger its error and the smaller those of the others, the more alike their differences to it are, and so the smaller their
 * largest (Slepian 1962).
 */
function criticalValue(
  errors: readonly number[],
  { level, draws, degrees, random }: { readonly level: number; readonly draws: number; readonly degrees: number; readonly random: Random },
): number {
  const own = Math.min(...errors);
  const place = errors.indexOf(own);
  const others = Float64Array.from(errors.filter((_, at) => at !== place));
  const scales = others.map((error) => (own + error > 0 ? 1 / Math.hypot(own, error) : 0));
  const largest = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    const noise = own * normalDraw(random);
    let most = 0;
    for (let at = 0; at < others.length; at++) {
      most = Math.max(most, ((others[at] ?? 0) * normalDraw(random) - noise) * (scales[at] ?? 0));
    }
    largest[draw] = most * studentStretch(random, degrees);
  }
  // Two standard errors of the simulation further out, so that chance in it does not make the interval too narrow.
  const share = Math.min(1, level + 2 * Math.sqrt((level * (1 - level)) / draws));
  return quantileOfSorted(largest.sort(), share);
}

/** √(ν / χ²_ν), by which a normal becomes Student's t; ν need not be whole: the part over is drawn as a share of one more square. */
function studentStretch(random: Random, degrees: number): number {
  if (!Number.isFinite(degrees)) return 1;
  let squares = 0;
  for (let left = degrees; left > 0; left--) squares += Math.min(1, left) * normalDraw(random) ** 2;
  return Math.sqrt(degrees / squares);
}

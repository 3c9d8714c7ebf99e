/** Sums of a straight-line fit that forgets; x is in units of `unit`. JSON-safe. */
export interface LineSums {
  unit: number;
  steps: number;
  n: number;
  x: number;
  y: number;
  xx: number;
  xy: number;
  yy: number;
}

export function newLineSums(): LineSums {
  return { unit: 0, steps: 0, n: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
}

export interface Line {
  readonly intercept: number;
  /** Per unit of x as given, never negative: more to compute never takes less time. */
  readonly slope: number;
  /** Pearson's correlation; 0 where either does not vary. */
  readonly correlation: number;
}

/** Half-life of the sums in steps: as that of the pooled MAD. */
const KEEP = 0.5 ** (1 / 23);

/** Adds the pairs of one step; those that are not finite, or that `skip` names, have no say. */
export function addPairs(sums: LineSums, xs: Float64Array, ys: Float64Array, skip: (rank: number) => boolean): void {
  if (sums.unit === 0) sums.unit = scaleOf(xs);
  if (sums.unit === 0) return;
  sums.n *= KEEP;
  sums.x *= KEEP;
  sums.y *= KEEP;
  sums.xx *= KEEP;
  sums.xy *= KEEP;
  sums.yy *= KEEP;
  sums.steps++;
  for (let rank = 0; rank < ys.length; rank++) {
    const x = (xs[rank] ?? Number.NaN) / sums.unit;
    const y = ys[rank] ?? Number.NaN;
    if (!(Math.abs(x) < LARGEST && Math.abs(y) < LARGEST) || skip(rank)) continue;
    sums.n++;
    sums.x += x;
    sums.y += y;
    sums.xx += x * x;
    sums.xy += x * y;
    sums.yy += y * y;
  }
}

/** Beyond it squares are no numbers any more. */
const LARGEST = 1e12;

/** Null before anything is known. */
export function lineOf(sums: LineSums): Line | null {
  const { n, unit } = sums;
  if (n < 2 || unit === 0) return null;
  const varianceX = sums.xx / n - (sums.x / n) ** 2;
  const varianceY = sums.yy / n - (sums.y / n) ** 2;
  const covariance = sums.xy / n - (sums.x / n) * (sums.y / n);
  const flat = varianceX <= 1e-9 * (sums.xx / n);
  const slope = flat ? 0 : Math.max(0, covariance / varianceX);
  const correlation = flat || varianceY <= 1e-12 * (sums.yy / n) ? 0 : covariance / Math.sqrt(varianceX * varianceY);
  return { intercept: sums.y / n - slope * (sums.x / n), slope: slope / unit, correlation: Math.min(1, Math.max(-1, correlation)) };
}

function scaleOf(xs: Float64Array): number {
  for (const x of xs) if (Number.isFinite(x) && x !== 0) return Math.abs(x);
  return 0;
}

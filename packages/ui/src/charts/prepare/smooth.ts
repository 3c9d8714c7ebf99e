/**
 * Exponential smoothing with a time constant in units of x, so that the result does not depend on how densely a series was logged
 * (A6). Weights are normalised from the first value on: nothing is pulled toward zero, and a constant stays exactly constant.
 *
 *   D ← D · e^(−Δx/τ) + w,   s ← s + (w / D) · (v − s),   w = 1 − e^(−Δx/τ)
 *
 * where Δx is the distance to the previous value. Each value weighs by the stretch of x it stands for, not by being one of many.
 * Null values keep their place and are passed over. x ascends; values are means over their buckets.
 */
export function smooth(x: readonly number[], values: readonly (number | null)[], timeConstant: number): readonly (number | null)[] {
  if (!(timeConstant > 0)) return values;
  const usual = usualSpacing(x);
  let mean: number | null = null;
  let weightSum = 0;
  let previous: number | null = null;
  return values.map((value, index) => {
    const at = x[index];
    if (value === null || at === undefined) return null;
    const distance = previous === null ? usual : at - previous;
    const kept = Math.exp(-Math.max(distance, 0) / timeConstant);
    // Two values at one place (a second writer) stand for the same stretch: both count, neither alone.
    const weight = 1 - Math.exp(-(distance > 0 ? Math.min(distance, usual * SPAN_LIMIT) : usual) / timeConstant);
    weightSum = weightSum * kept + weight;
    mean = mean === null ? value : mean + (weight / weightSum) * (value - mean);
    previous = at;
    return mean;
  });
}

/** After a gap the first value stands for at most so many usual spacings, not for the whole gap. */
const SPAN_LIMIT = 4;

function usualSpacing(x: readonly number[]): number {
  const first = x[0];
  const last = x.at(-1);
  if (first === undefined || last === undefined || x.length < 2 || last <= first) return 1;
  return (last - first) / (x.length - 1);
}

/** Scales the median absolute deviation to the standard deviation of Gaussian data: 1 / Φ⁻¹(3/4). Rousseeuw & Croux 1993. */
export const MAD_TO_SIGMA = 1.482602218505602;

/**
 * Puts the `rank`-th smallest of `values[0..count)` in its place and returns it; reorders in place. Hoare's FIND, O(n) on average.
 * No NaN may be among them: they have no order.
 */
export function selectInPlace(values: Float64Array, count: number, rank: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? Number.NaN;
    let left = low;
    let right = high;
    while (left <= right) {
      while ((values[left] ?? Number.NaN) < pivot) left++;
      while ((values[right] ?? Number.NaN) > pivot) right--;
      if (left <= right) {
        const held = values[left] ?? Number.NaN;
        values[left] = values[right] ?? Number.NaN;
        values[right] = held;
        left++;
        right--;
      }
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else break;
  }
  return values[rank] ?? Number.NaN;
}

/** Median of `values[0..count)`, reordering them; the mean of the middle two for an even count; NaN for none. */
export function medianInPlace(values: Float64Array, count: number): number {
  if (count === 0) return Number.NaN;
  const middle = count >> 1;
  const upper = selectInPlace(values, count, middle);
  if (count % 2 === 1) return upper;
  let lower = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < middle; index++) lower = Math.max(lower, values[index] ?? lower);
  return (lower + upper) / 2;
}

/** Median of finite numbers; NaN for none. */
export function median(values: ArrayLike<number>): number {
  return medianInPlace(new Float64Array(values), values.length);
}

/** Median absolute deviation from `centre` (default: the median), in the unit of the values and not scaled to sigma. Hampel 1974. */
export function medianAbsoluteDeviation(values: ArrayLike<number>, centre = median(values)): number {
  const deviations = new Float64Array(values);
  for (let index = 0; index < deviations.length; index++) deviations[index] = Math.abs((deviations[index] ?? 0) - centre);
  return medianInPlace(deviations, deviations.length);
}

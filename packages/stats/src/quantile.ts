/** Quantile `share` (0 to 1) of ascending values by linear interpolation: type 7 of Hyndman & Fan 1996, NumPy's default. NaN for none. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number {
  const last = sorted.length - 1;
  if (last < 0) return Number.NaN;
  const position = Math.min(Math.max(share, 0), 1) * last;
  const below = Math.floor(position);
  const lower = sorted[below] ?? Number.NaN;
  const upper = sorted[Math.min(below + 1, last)] ?? Number.NaN;
  return lower + (upper - lower) * (position - below);
}

/** Quantile `share` of finite values in any order. */
export function quantile(values: ArrayLike<number>, share: number): number {
  return quantileOfSorted(new Float64Array(values).sort(), share);
}

/**
 * Mean of the middle half of ascending values (the midmean, a 25 % trimmed mean; Tukey 1977), the end points weighted by the part
 * of them that lies in the middle half. Unlike the median it moves smoothly where values come on a coarse printed grid.
 */
export function midmeanOfSorted(sorted: ArrayLike<number>): number {
  const count = sorted.length;
  if (count === 0) return Number.NaN;
  const cut = count / 4;
  let sum = 0;
  for (let index = Math.floor(cut); index < Math.ceil(count - cut); index++) {
    const inside = Math.min(index + 1, count - cut) - Math.max(index, cut);
    sum += (sorted[index] ?? Number.NaN) * inside;
  }
  return sum / (count - 2 * cut);
}

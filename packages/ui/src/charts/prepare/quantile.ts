/** The q-quantile of ascending values, interpolated between neighbours (Hyndman and Fan 1996, type 7). NaN for none. */
export function sortedQuantile(ascending: ArrayLike<number>, q: number): number {
  const position = (ascending.length - 1) * q;
  const low = ascending[Math.floor(position)];
  const high = ascending[Math.ceil(position)];
  if (low === undefined || high === undefined) return Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

export function ascending(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

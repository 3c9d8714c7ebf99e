/** Sums over clusters of the values that are numbers. */
export interface ClusterSums {
  /** By cluster, in order of first appearance. */
  readonly sums: Float64Array;
  readonly counts: Float64Array;
  /** Values that are numbers. */
  readonly n: number;
  readonly total: number;
  /** Sum of the squares of the values. */
  readonly squares: number;
}

/**
 * Sums and counts of `values` by cluster. NaN values (not scored) are left out; a sample whose cluster is NaN, or without clusters each sample,
 * stands alone.
 */
export function sumByCluster(values: ArrayLike<number>, clusters: ArrayLike<number> | null): ClusterSums {
  const sums = new Float64Array(values.length);
  const counts = new Float64Array(values.length);
  const places = new Map<number, number>();
  let used = 0;
  let n = 0;
  let total = 0;
  let squares = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    const cluster = clusters?.[index] ?? Number.NaN;
    let place = Number.isNaN(cluster) ? undefined : places.get(cluster);
    if (place === undefined) {
      place = used++;
      if (!Number.isNaN(cluster)) places.set(cluster, place);
    }
    sums[place] = (sums[place] ?? 0) + value;
    counts[place] = (counts[place] ?? 0) + 1;
    n++;
    total += value;
    squares += value * value;
  }
  return { sums: sums.subarray(0, used), counts: counts.subarray(0, used), n, total, squares };
}

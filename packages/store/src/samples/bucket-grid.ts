/** Buckets of equal width on an axis. They begin at multiples of the width, so that a chart does not flicker while a run grows. */
export interface BucketGrid {
  readonly width: number;
  /** Number of the first bucket, counted from zero on the axis. */
  readonly first: number;
  readonly count: number;
  /** 2^exponent divides every boundary. */
  readonly exponent: number;
}

/**
 * The narrowest grid over [from, to] with at most `buckets` buckets, of width 2^n or 1.5·2^n (at least 1): so at least two thirds of
 * them are used, and cells of a power of two lie wholly in one.
 */
export function bucketGrid(from: number, to: number, buckets: number): BucketGrid {
  for (let exponent = 0; ; exponent++) {
    for (const [width, dividing] of [[2 ** exponent, exponent] as const, [1.5 * 2 ** exponent, exponent - 1] as const]) {
      // The width 1.5 would put boundaries between steps.
      if (dividing < 0) continue;
      const first = Math.floor(from / width);
      const count = Math.floor(to / width) - first + 1;
      if (count <= buckets) return { width, first, count, exponent: dividing };
    }
  }
}

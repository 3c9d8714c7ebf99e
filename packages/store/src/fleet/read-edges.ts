import { SPAN_WINDOWS } from "./cell-table.ts";
import { WINDOW_MS } from "./contract.ts";

/** From what a window of buckets is read: readings as they were sent, cells of one window each, or cells of 64. */
export type ReadLevel = 0 | 1 | 2;

export interface BucketPlan {
  readonly level: ReadLevel;
  /** One more than buckets; bucket i is [edges[i], edges[i + 1]). Epoch ms. */
  readonly edges: Float64Array;
}

/**
 * Buckets of equal width. From two windows a bucket on they are read from cells, and each edge then moves to the nearest whole window; from 64
 * windows on, to the nearest multiple of 64: no cell ever lies across an edge, and what a bucket says is exact.
 */
export function bucketPlan(fromMs: number, toMs: number, buckets: number): BucketPlan {
  const width = (toMs - fromMs) / buckets;
  const level = width < 2 * WINDOW_MS ? 0 : width < SPAN_WINDOWS * WINDOW_MS ? 1 : 2;
  const unit = level === 0 ? 0 : level === 1 ? WINDOW_MS : SPAN_WINDOWS * WINDOW_MS;
  const edges = Float64Array.from({ length: buckets + 1 }, (_, index) => {
    const edge = index === buckets ? toMs : fromMs + index * width;
    return unit === 0 ? edge : Math.round(edge / unit) * unit;
  });
  return { level, edges };
}

import type { NonFiniteWord } from "../non-finite.ts";
import type { Axis } from "./runs.ts";

/** Bucket counts a chart may ask for; widths in pixels round down to one of them so that a resize does not refetch. */
export const BUCKET_COUNTS = [256, 512, 1024] as const;
export type BucketCount = (typeof BUCKET_COUNTS)[number];

/**
 * A window of one metric, columnar, one entry a non-empty bucket in ascending x.
 * Statistics come from every stored point in the bucket. Columns have equal length.
 */
export interface SeriesLine {
  readonly metric: string;
  readonly unit: string | null;
  readonly attempt: string;
  /** Labels shared by all series merged into this line (`writer`); `rank` is merged into the band. */
  readonly labels: Readonly<Record<string, string>>;
  /** How many series the line merges (ranks). */
  readonly members: number;
  /** Steps of this attempt past a later branch: drawn dashed, kept out of the effective view. */
  readonly superseded: boolean;
  /** Position of the bucket's first point on the asked axis. */
  readonly x: readonly number[];
  /** Step of the bucket's first and last point. */
  readonly stepFirst: readonly number[];
  readonly stepLast: readonly number[];
  /** Points in the bucket, finite and not. */
  readonly count: readonly number[];
  /** Of the finite points; null where a bucket holds none. */
  readonly mean: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  /** Exact x and step of the extremes. */
  readonly minX: readonly (number | null)[];
  readonly maxX: readonly (number | null)[];
  readonly minStep: readonly (number | null)[];
  readonly maxStep: readonly (number | null)[];
  readonly last: readonly (number | null)[];
  /** Buckets with non-finite points: [bucket index, word, how many, step of the first]. */
  readonly nonFinite: readonly (readonly [bucket: number, word: NonFiniteWord, count: number, firstStep: number])[];
  /** Of all points in the window, from data and not from what is drawn (A4). */
  readonly summary: {
    readonly points: number;
    readonly nonFinite: number;
    readonly zeros: number;
    readonly negatives: number;
    readonly min: number | null;
    readonly minStep: number | null;
    readonly max: number | null;
    readonly maxStep: number | null;
    readonly last: number | null;
    readonly lastStep: number | null;
  };
}

export interface SeriesWindow {
  readonly axis: Axis;
  /** The range answered, on the asked axis. */
  readonly from: number | null;
  readonly to: number | null;
  /** The same range in steps (of the effective view). */
  readonly fromStep: number | null;
  readonly toStep: number | null;
  /** Buckets asked for and points behind them: "Drawn n bins of N points". */
  readonly buckets: number;
  readonly points: number;
  /** Per attempt a metric is what the run logs of itself, where it does; else its ranks together. Never the two mixed: they are different quantities. */
  readonly lines: readonly SeriesLine[];
  /** The ranks of a metric that the run logs itself too, in `lines`: how far they lie apart. Their `mean` is theirs and not the metric's. */
  readonly spreads: readonly SeriesLine[];
}

import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { BUCKET_COUNTS, type Axis, type BucketCount, type SeriesWindow } from "@trainwatch/core";
import { loadedOf, type Loaded } from "./loaded.ts";
import { useTRPC } from "./trpc.ts";

export interface WindowQuestion {
  readonly runId: number;
  readonly metrics: readonly string[];
  readonly axis: Axis;
  /** On the asked axis; null is open: from the beginning, to the newest point and live. */
  readonly from: number | null;
  readonly to: number | null;
  readonly buckets: BucketCount;
  /** These attempts alone, what was rolled back included; left out are all, each step marked as superseded or not. */
  readonly attempts?: readonly string[];
  /** Only these ranks, each as a line of its own; left out: all, as bands. */
  readonly ranks?: readonly string[];
}

/** The largest bucket count that a plot of `widthPx` can show, so that a resize by some pixels asks nothing anew. */
export function bucketsFor(widthPx: number): BucketCount {
  let found: BucketCount = BUCKET_COUNTS[0];
  for (const count of BUCKET_COUNTS) if (count <= widthPx) found = count;
  return found;
}

/** A window of some metrics of a run; null asks nothing (the chart is not in view). While a zoom is on its way the previous window stays. */
export function useSeriesWindow(question: WindowQuestion | null): Loaded<SeriesWindow> {
  const trpc = useTRPC();
  const input = question === null ? skipToken : windowInput(question);
  return loadedOf(useQuery(trpc.series.window.queryOptions(input, { placeholderData: keepPreviousData })));
}

function windowInput({ attempts, ranks, metrics, ...question }: WindowQuestion) {
  return {
    ...question,
    metrics: [...metrics],
    ...(attempts === undefined ? {} : { attempts: [...attempts] }),
    ...(ranks === undefined ? {} : { ranks: [...ranks] }),
  };
}

export interface RangeQuestion {
  readonly runId: number;
  readonly fromAxis: Axis;
  readonly toAxis: Axis;
  readonly from: number | null;
  readonly to: number | null;
}

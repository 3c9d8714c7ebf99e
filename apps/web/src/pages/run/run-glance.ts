import type { SeriesWindow } from "@trainwatch/core";
import { dataOf } from "../../data/loaded.ts";
import { useSeriesWindow } from "../../data/series.ts";

/** The whole run, coarsely: the line of the attempts strip and the newest values of the readouts. */
export interface RunGlance {
  readonly window: SeriesWindow | null;
  /** Newest value of the effective view; null where the run has no such metric. */
  readonly newest: (metric: string) => number | null;
}

export const GLANCE_METRICS = ["loss", "tokens_consumed", "tokens_per_second", "step_time"] as const;
const GLANCE_BUCKETS = 256;

export function useRunGlance(runId: number): RunGlance {
  const window = dataOf(useSeriesWindow({ runId, metrics: GLANCE_METRICS, axis: "step", from: null, to: null, buckets: GLANCE_BUCKETS }));
  return { window, newest: (metric) => newestOf(window, metric) };
}

function newestOf(window: SeriesWindow | null, metric: string): number | null {
  let newest: { readonly step: number; readonly value: number } | null = null;
  for (const line of window?.lines ?? []) {
    const { last, lastStep } = line.summary;
    if (line.metric === metric && !line.superseded && last !== null && lastStep !== null && (newest === null || lastStep >= newest.step))
      newest = { step: lastStep, value: last };
  }
  return newest?.value ?? null;
}

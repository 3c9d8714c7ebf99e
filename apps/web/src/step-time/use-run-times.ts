import type { BucketCount, RunDetail } from "@trainwatch/core";
import { useMemo } from "react";
import { dataOf } from "../data/loaded.ts";
import { useSeriesWindow } from "../data/series.ts";
import { runTimes, type RunTimes } from "./run-times.ts";

/** Metrics that nearly every run has: any point that bears a step and a time will do. */
const METRICS = ["loss", "grad_norm", "step_time", "tokens_per_second"] as const;
const BUCKETS: BucketCount = 512;

export interface RunTimesAnswer {
  readonly times: RunTimes | null;
  /** Why there is no map; null while it is on its way or there. */
  readonly why: string | null;
}

/** Which step of a run was when, within a stretch of time; nulls are open. A run of null asks nothing. */
export function useRunTimes(run: RunDetail | null, fromMs: number | null, toMs: number | null): RunTimesAnswer {
  const axis = run?.axes.find((candidate) => candidate.axis === "time");
  const available = axis?.available === true;
  const question =
    run === null || !available
      ? null
      : { runId: run.id, metrics: METRICS, axis: "time" as const, from: fromMs, to: toMs, buckets: BUCKETS };
  const loaded = useSeriesWindow(question);
  const window = dataOf(loaded);
  const times = useMemo(() => (window === null ? null : runTimes(window)), [window]);
  if (run === null) return { times: null, why: null };
  if (!available) return { times: null, why: `${run.name} has no times: ${axis?.why ?? "not known"}` };
  if (loaded.status === "failed") return { times: null, why: `The times of ${run.name} could not be read: ${loaded.failure.message}` };
  if (loaded.status === "ready" && times === null) return { times: null, why: `${run.name} has no step with a time in this window` };
  return { times, why: null };
}

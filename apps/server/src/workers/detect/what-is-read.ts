import { DETECTORS, RANK_METRICS } from "@trainwatch/detect";
import type { ArrivedSample, RunCursor } from "@trainwatch/store";
import type { RunWatch, WatchedSample } from "./run-watch.ts";

/** What any detector reads; nothing else is fetched. */
const METRICS = [
  ...new Set([...DETECTORS.flatMap((detector): readonly string[] => detector.metrics), ...RANK_METRICS, "loss", "step_time"]),
].sort();

/** Samples a step: a transaction of well under a second, also where each brings a finding. */
const BATCH_SAMPLES = 20_000;
/** Of a wide run a step should take in some whole training steps, of many small rows; more than so many samples at once would hold the other runs up. */
const WIDE_RANKS = 512;
const WIDE_SAMPLES = 40_960;
const BATCH_MOST = 131_072;

export function batchSamples(watch: Pick<RunWatch, "ranks">): number {
  const ranks = watch.ranks();
  return ranks < WIDE_RANKS ? BATCH_SAMPLES : Math.min(BATCH_MOST, Math.max(WIDE_SAMPLES, ranks * RANK_METRICS.length));
}

/** The metrics to read from a cursor on. In the middle of a push its offset counts points of what was read then, so that what a new rule reads comes in with the next push. */
export function metricsOf(cursor: Pick<RunCursor, "offset" | "metrics">, watch: Pick<RunWatch, "ruleMetrics">): readonly string[] {
  const wanted = [...new Set([...METRICS, ...watch.ruleMetrics()])].sort();
  return cursor.offset > 0 && cursor.metrics !== null ? cursor.metrics : wanted;
}

/** Detectors judge the run's own line and its ranks; evaluations, other splits and second writers carry labels and are left out. */
export function watched({ labels, ...sample }: ArrivedSample): WatchedSample[] {
  const { rank = null, ...others } = labels;
  return Object.keys(others).length > 0 ? [] : [{ ...sample, rank }];
}

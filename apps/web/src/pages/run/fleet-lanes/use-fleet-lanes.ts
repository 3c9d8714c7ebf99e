import { fieldOf, type Axis, type FleetLayout, type RunDetail, type SeriesLine } from "@trainwatch/core";
import { formatCount } from "@trainwatch/ui";
import { useMemo } from "react";
import { useFleetFrames, useFleetLayout, useFleetWindow } from "../../../data/fleet.ts";
import { dataOf } from "../../../data/loaded.ts";
import { useRunTimes } from "../../../step-time/use-run-times.ts";
import { frameCount } from "../../fleet/shown-window.ts";
import type { OpenRange } from "../zoom.ts";
import { bandOfFrames, bandOfWindow, type FleetBand } from "./fleet-band.ts";
import { fleetLine } from "./fleet-line.ts";

export interface FleetLanes {
  readonly lines: readonly SeriesLine[];
  /** What a reader must know of them: why there are none, or what they are made of. */
  readonly notes: readonly string[];
}

export interface FleetLanesQuestion {
  readonly run: RunDetail;
  /** At most two. */
  readonly metrics: readonly string[];
  readonly axis: Axis;
  /** What is on show, on `axis`. */
  readonly range: OpenRange;
  readonly buckets: number;
}

/** Ends move in steps, so that a live run does not ask the fleet anew with every point. */
const STEP_MS = 30_000;
/** As many series as one window holds. */
const WINDOW_SERIES = 64;

/** Metrics of the run's GPUs, by its assignment, on the run's own axis through its step and time. */
export function useFleetLanes({ run, metrics, axis, range, buckets }: FleetLanesQuestion): FleetLanes {
  const isAsked = metrics.length > 0;
  const onStep = axis === "step";
  const whole = useRunTimes(isAsked ? run : null, null, null);
  const edge = (x: number | null, timeMs: number | undefined): number | null =>
    timeMs === undefined ? null : x === null ? timeMs : onStep ? (whole.times?.map.toTime(x) ?? timeMs) : x;
  const fromMs = floored(edge(range.from, whole.times?.first.timeMs));
  const toMs = raised(edge(range.to, whole.times?.last.timeMs));
  const isNear = isAsked && fromMs !== null && toMs !== null && toMs > fromMs && axis !== "tokens";
  const near = useRunTimes(isNear ? run : null, fromMs, toMs);
  const layoutLoaded = useFleetLayout(isNear ? toMs : undefined);
  const layout = dataOf(layoutLoaded);
  const gpus = layout === null ? 0 : gpusOf(layout, run.id);
  const ask = isNear && gpus > 0 ? { run, layout, gpus, fromMs, toMs, buckets } : null;
  const first = useBand(metrics[0], ask);
  const second = useBand(metrics[1], ask);
  const times = near.times ?? whole.times;
  const attempt = run.attempts.at(-1)?.name ?? "";
  const drawn = useMemo(
    () =>
      times === null || axis === "tokens"
        ? []
        : [first, second].flatMap((band, index) => {
            const metric = metrics[index];
            return band === null || metric === undefined ? [] : [{ ...fleetLine(band, metric, axis, times.map, attempt), band }];
          }),
    [first, second, metrics, axis, times, attempt],
  );
  const lines = useMemo(() => drawn.map(({ line }) => line), [drawn]);
  if (!isAsked) return NOTHING;
  const why =
    axis === "tokens"
      ? "Fleet lanes are drawn on the step and on the time axis: tokens have no times of their own."
      : whole.why !== null
        ? `No fleet lane: ${whole.why}.`
        : layout !== null && gpus === 0
          ? `No fleet lane: nothing tells which GPUs ${run.name} ran on. Assignments come from the trainer, from labels of Slurm or Kubernetes, or from a file.`
          : null;
  if (why !== null) return { lines: NOTHING.lines, notes: [why] };
  if (drawn.length === 0) return { lines, notes: ["The fleet's lanes are being read."] };
  return { lines, notes: drawn.flatMap(({ band, leftOut }, index) => bandNotes(band, leftOut, metrics[index] ?? "")) };
}

const NOTHING: FleetLanes = { lines: [], notes: [] };

function floored(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / STEP_MS) * STEP_MS;
}

function raised(ms: number | null): number | null {
  return ms === null ? null : Math.ceil(ms / STEP_MS) * STEP_MS;
}

function gpusOf(layout: FleetLayout, runId: number): number {
  const run = layout.runs.findIndex(({ id }) => id === runId);
  return run < 0 ? 0 : layout.gpu.run.filter((own) => own === run).length;
}

interface BandQuestion {
  readonly run: RunDetail;
  readonly layout: FleetLayout | null;
  readonly gpus: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly buckets: number;
}

/** Every reading where a window holds all series of the run, else all its GPUs at some moments. */
function useBand(metric: string | undefined, ask: BandQuestion | null): FleetBand | null {
  const question = metric === undefined || ask === null ? null : { metric, fromMs: ask.fromMs, toMs: ask.toMs };
  const isSmall = ask !== null && ask.gpus <= WINDOW_SERIES;
  const window = dataOf(
    useFleetWindow(question === null || ask === null || !isSmall ? null : { ...question, buckets: ask.buckets, runId: ask.run.id }),
  );
  const frames = dataOf(
    useFleetFrames(
      question === null || ask === null || isSmall ? null : { ...question, count: frameCount(ask.layout?.gpu.id.length ?? 1) },
    ),
  );
  return useMemo(() => {
    if (metric === undefined || ask === null) return null;
    if (isSmall) return window === null ? null : bandOfWindow(window);
    return frames === null || ask.layout === null ? null : bandOfFrames(frames, ask.layout, ask.run.id, fieldOf(metric)?.unit ?? "");
    // Of `ask` only the run and the layout matter here; the rest is in the answers.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [metric, isSmall, window, frames, ask?.layout, ask?.run.id]);
}

function bandNotes(band: FleetBand, leftOut: number, metric: string): readonly string[] {
  const title = fieldOf(metric)?.title ?? metric;
  return [
    ...(band.isSampled
      ? [`${title}: lowest to highest of ${band.of} GPUs at ${band.startMs.length} moments; what lay between them is not drawn`]
      : []),
    ...(band.total > band.of ? [`${title}: ${band.of} of ${band.total} series`] : []),
    ...(leftOut > 0 ? [`${title}: left out ${formatCount(leftOut, "stretch", "stretches")} without a known step`] : []),
  ];
}

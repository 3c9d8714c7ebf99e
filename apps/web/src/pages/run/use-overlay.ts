import type { Axis, BucketCount, RunDetail } from "@trainwatch/core";
import type { Overlay } from "@trainwatch/ui/charts/prepare";
import { dataOf } from "../../data/loaded.ts";
import { useRun } from "../../data/runs.ts";
import { useSeriesWindow } from "../../data/series.ts";
import type { OpenRange } from "./zoom.ts";

export interface OverlayQuestion {
  readonly run: RunDetail;
  readonly compare: number | undefined;
  readonly metrics: readonly string[];
  readonly axis: Axis;
  readonly range: OpenRange;
  readonly buckets: BucketCount;
}

export interface OverlayAnswer {
  readonly overlay: Overlay | null;
  /** Why the second run is not drawn, or how it is aligned; null where neither needs saying. */
  readonly note: string | null;
}

function startOf(run: RunDetail | null): number | null {
  return run?.attempts[0]?.startedAtMs ?? null;
}

/** The second run on the same stretch of the axis. On the time axis it is moved so that both begin together. */
export function useOverlay({ run, compare, metrics, axis, range, buckets }: OverlayQuestion): OverlayAnswer {
  const loaded = useRun(compare ?? null);
  const other = dataOf(loaded);
  const available = other?.axes.some((candidate) => candidate.axis === axis && candidate.available) ?? false;
  const begins = { here: startOf(run), there: startOf(other) };
  const shift = axis !== "time" ? 0 : begins.here === null || begins.there === null ? null : begins.here - begins.there;
  const moved = (end: number | null): number | null => (end === null || shift === null ? null : end - shift);
  const question =
    other === null || !available || shift === null
      ? null
      : { runId: other.id, metrics, axis, from: moved(range.from), to: moved(range.to), buckets };
  const window = dataOf(useSeriesWindow(question));
  if (compare === undefined) return { overlay: null, note: null };
  if (loaded.status === "failed") return { overlay: null, note: `The second run could not be read: ${loaded.failure.message}` };
  if (other === null) return { overlay: null, note: null };
  if (!available)
    return {
      overlay: null,
      note: `${other.name} has no ${axis} axis: ${other.axes.find((candidate) => candidate.axis === axis)?.why ?? "not known"}`,
    };
  if (shift === null) return { overlay: null, note: `${other.name} cannot be aligned: it is not known when one of the runs began` };
  // An answer for another axis is still on the page while the new one is on its way.
  const fits = window !== null && window.axis === axis;
  return {
    overlay: fits ? { name: other.name, window, shift } : null,
    note: axis === "time" ? `${other.name} is moved so that both runs begin together` : null,
  };
}

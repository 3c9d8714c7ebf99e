import type { SeriesLine, SeriesWindow, Severity } from "@trainwatch/core";
import { formatCount, metricTitle, metricUnit } from "../../format/index.ts";
import { bridged } from "./bridge.ts";
import { estimateExtent, estimatesOf, type Estimates, type EstimateSpec } from "./estimate.ts";
import { hiddenOf, type HiddenOnLog } from "./hidden.ts";
import { laneFrame, laneRange } from "./lane-frame.ts";
import { laneLine, type LaneLine } from "./lane-line.ts";
import { laneSources, type Overlay } from "./lane-sources.ts";
import { totalsOf, type LaneTotals } from "./lane-totals.ts";
import { nonFiniteMarks, type InfinityMark, type NaNBand } from "./non-finite.ts";
import { offScaleMarks, type OffScaleMark } from "./off-scale.ts";
import { transformFor, type ScaleKind, type Transform } from "./scale.ts";
import { yTicks, type Tick } from "./ticks.ts";
import { unitPrefix, type UnitPrefix } from "./unit-prefix.ts";

export interface LaneSpec {
  readonly metric: string;
  readonly scale: ScaleKind;
  /** `full` shows every value instead of marking the far ones on the edge. */
  readonly yMode: "robust" | "full";
  readonly heightPx: number;
  /** Where the catalogue of training metrics has no word for it. */
  readonly title?: string | undefined;
  /** Digits after the point, where the catalogue does not know the metric. */
  readonly digits?: number | undefined;
  /** Its values are estimates: dots with whiskers instead of a line. */
  readonly estimate?: EstimateSpec | undefined;
  /** Words under the value, before those that the lane finds itself. */
  readonly facts?: readonly string[] | undefined;
  /** Why the lane is empty, in place of "no data in this range". */
  readonly missing?: string | undefined;
}

export interface LaneInput {
  readonly spec: LaneSpec;
  readonly window: SeriesWindow;
  readonly overlay: Overlay | null;
  /** Lines of single ranks, drawn over their band. */
  readonly singles?: readonly SeriesLine[] | undefined;
  /** Time constant in units of x; null is off. */
  readonly smoothing: number | null;
  readonly xPerPx: number;
  /** Severity of the finding on this metric that covers the step of that attempt. */
  readonly severityAt: (metric: string, attempt: string, step: number) => Severity | null;
}

export interface Lane {
  readonly spec: LaneSpec;
  readonly title: string;
  readonly unit: string;
  readonly prefix: UnitPrefix;
  readonly transform: Transform;
  /** The whole height of the lane in scale space, head-room for marks included; null where nothing can be drawn. */
  readonly domain: { readonly low: number; readonly high: number } | null;
  readonly ticks: readonly Tick[];
  readonly lines: readonly LaneLine[];
  /** Null for a lane of lines. */
  readonly estimates: Estimates | null;
  readonly offScale: readonly OffScaleMark[];
  readonly nanBands: readonly NaNBand[];
  readonly infinities: readonly InfinityMark[];
  readonly hidden: HiddenOnLog | null;
  /** Why nothing is drawn: no data in this range, or nothing positive on a log axis. */
  readonly empty: string | null;
  /** Series beyond the eight that fit a lane. */
  readonly seriesLeftOut: number;
  /** Of all points in the window, effective view (A4). */
  readonly totals: LaneTotals;
}

/** Decides all that a lane shows: range, ticks, vertices, marks and words. Drawing lays it out and adds nothing. */
export function prepareLane(input: LaneInput): Lane {
  const { spec, window } = input;
  const axisIsStep = window.axis === "step";
  const { all, counted, leftOut } = laneSources(spec.metric, window, input.overlay, input.singles);
  const beside = all.flatMap(({ line, role }) => (role === "overlay" || role === "single" || role === "spread" ? [line] : []));
  // What was rolled back does not set the scale, unless every value is asked for.
  const ranged = spec.yMode === "full" ? all.map(({ line }) => line) : [...counted, ...beside];
  const extent = spec.estimate === undefined ? [] : estimateExtent(spec.estimate);
  const transform = transformFor(spec.scale, [...ranged.flatMap(extremes), ...extent]);
  const totals = totalsOf(counted);
  // A rank that is not finite is news, whatever the run says of itself.
  const nonFinite = [...counted, ...all.flatMap(({ line, role }) => (role === "spread" ? [line] : []))].map((line) =>
    nonFiniteMarks(line, axisIsStep),
  );
  const base = {
    spec,
    title: spec.title ?? metricTitle(spec.metric),
    unit: metricUnit(spec.metric, all[0]?.line.unit ?? null),
    prefix: unitPrefix(Math.max(Math.abs(totals.min ?? 0), Math.abs(totals.max ?? 0))),
    transform,
    estimates: spec.estimate === undefined ? null : estimatesOf(spec.estimate, transform),
    nanBands: nonFinite.flatMap((marks) => marks.bands),
    infinities: nonFinite.flatMap((marks) => marks.infinities),
    hidden: spec.scale === "log" ? hiddenOf(counted) : null,
    seriesLeftOut: leftOut,
    totals,
  };
  const range = laneRange(ranged, transform, spec.yMode, extent);
  if (range === null)
    return { ...base, domain: null, ticks: [], lines: [], offScale: [], empty: spec.missing ?? emptyReason(totals, base.hidden) };
  // What a single rank has beyond the edge, its band has there too.
  const offScale = all.flatMap(({ line, role }) =>
    role === "single" ? [] : offScaleMarks(line, transform, range, (step) => input.severityAt(spec.metric, line.attempt, step)),
  );
  const onEdge = (edge: "top" | "bottom"): boolean => [...offScale, ...base.infinities].some((mark) => mark.edge === edge);
  const { domain, bounds } = laneFrame(range, spec.heightPx, {
    top: base.nanBands.length > 0 || onEdge("top"),
    bottom: base.hidden !== null ? "strip" : onEdge("bottom") ? "marked" : "plain",
  });
  const lines = all.map((source) =>
    laneLine({ ...source, transform, bounds, axisIsStep, smoothing: input.smoothing, xPerPx: input.xPerPx }),
  );
  const ticks = yTicks(transform, range.low, range.high, tickCount(spec.heightPx), base.prefix.divide);
  return { ...base, domain, ticks, lines: bridged(lines), offScale, empty: null };
}

function tickCount(heightPx: number): number {
  return Math.min(5, Math.max(2, Math.floor(heightPx / 32)));
}

function extremes(line: SeriesLine): readonly number[] {
  return [...line.min, ...line.max].filter((value) => value !== null);
}

function emptyReason(totals: LaneTotals, hidden: HiddenOnLog | null): string {
  if (totals.points === 0) return "no data in this range";
  if (hidden !== null) return `nothing positive to draw on a log axis, ${hidden.text}`;
  return `not one finite value among ${formatCount(totals.points, "point")}`;
}

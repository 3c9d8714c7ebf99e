import type { SeriesLine, SeriesWindow, Severity } from "@trainwatch/core";
import { metricTitle, metricUnit } from "../../format/index.ts";
import { hiddenOnLog, type HiddenOnLog } from "./hidden.ts";
import { laneLine, type LaneLine, type LineRole } from "./lane-line.ts";
import { nonFiniteMarks, type InfinityMark, type NaNBand } from "./non-finite.ts";
import { offScaleMarks, type OffScaleMark } from "./off-scale.ts";
import { transformFor, type ScaleKind, type Transform } from "./scale.ts";
import { yTicks, type Tick } from "./ticks.ts";
import { robustRange } from "./y-range.ts";

export interface LaneSpec {
  readonly metric: string;
  readonly scale: ScaleKind;
  /** `full` shows every value instead of marking the far ones on the edge. */
  readonly yMode: "robust" | "full";
  readonly heightPx: number;
}

/** A second run laid over the first. */
export interface Overlay {
  readonly name: string;
  readonly window: SeriesWindow;
  /** Added to its x: on the time axis both runs begin together. */
  readonly shift: number;
}

export interface LaneInput {
  readonly spec: LaneSpec;
  readonly window: SeriesWindow;
  readonly overlay: Overlay | null;
  /** Time constant in units of x; null is off. */
  readonly smoothing: number | null;
  readonly xPerPx: number;
  /** Severity of the finding on this metric that covers the step of that attempt. */
  readonly severityAt: (metric: string, attempt: string, step: number) => Severity | null;
}

export interface LaneTotals {
  readonly points: number;
  readonly nonFinite: number;
  readonly min: number | null;
  readonly minStep: number | null;
  readonly max: number | null;
  readonly maxStep: number | null;
  /** Newest value of the effective view. */
  readonly last: number | null;
  readonly lastStep: number | null;
}

export interface Lane {
  readonly spec: LaneSpec;
  readonly title: string;
  readonly unit: string;
  /** Ticks are values divided by this: 1e6 writes "2.0" beside "M tokens/s". */
  readonly prefix: { readonly divide: number; readonly word: string };
  readonly transform: Transform;
  /** The whole height of the lane in scale space, head-room for marks included; null where nothing can be drawn. */
  readonly domain: { readonly low: number; readonly high: number } | null;
  readonly ticks: readonly Tick[];
  readonly lines: readonly LaneLine[];
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

/** Head-room in pixels: marks and their values on the edge need a line of text. */
const ROOM_PX = { plain: 8, marked: 18, clamp: 4, strip: 14 } as const;
const MAX_SERIES = 8;

export function prepareLane(input: LaneInput): Lane {
  const { spec, window } = input;
  const axisIsStep = window.axis === "step";
  const own = window.lines.filter((line) => line.metric === spec.metric);
  const groups = [...new Set(own.map(labelKey))];
  const drawn = own.filter((line) => groups.indexOf(labelKey(line)) < MAX_SERIES);
  const over = (input.overlay?.window.lines ?? []).filter((line) => line.metric === spec.metric && !line.superseded).map((line) => shifted(line, input.overlay?.shift ?? 0));
  const effective = drawn.filter((line) => !line.superseded);
  const ranged = [...(effective.length > 0 ? effective : drawn), ...over];
  const transform = transformFor(spec.scale, ranged.flatMap(extremes));
  const totals = totalsOf(effective.length > 0 ? effective : drawn);
  const marks = drawn.filter((line) => !line.superseded || effective.length === 0).map((line) => nonFiniteMarks(line, axisIsStep));
  const base = {
    spec,
    title: metricTitle(spec.metric),
    unit: metricUnit(spec.metric, own[0]?.unit ?? over[0]?.unit ?? null),
    prefix: prefixFor(Math.max(Math.abs(totals.min ?? 0), Math.abs(totals.max ?? 0))),
    transform,
    nanBands: marks.flatMap((mark) => mark.bands),
    infinities: marks.flatMap((mark) => mark.infinities),
    hidden: spec.scale === "log" ? hiddenOf(effective.length > 0 ? effective : drawn) : null,
    seriesLeftOut: Math.max(0, groups.length - MAX_SERIES),
    totals,
  };
  const range = robustRange({
    values: ranged.flatMap((line) => scaledValues(line, transform)),
    newest: newestLevels(ranged, transform),
    mode: spec.yMode,
  });
  if (range === null) return { ...base, domain: null, ticks: [], lines: [], offScale: [], empty: emptyReason(own, base.hidden) };
  const offScale = ranged.flatMap((line) => offScaleMarks(line, transform, range, (step) => input.severityAt(spec.metric, line.attempt, step)));
  const marked = base.nanBands.length > 0 || base.infinities.some((mark) => mark.edge === "top") || range.clippedHigh;
  const markedLow = range.clippedLow || base.infinities.some((mark) => mark.edge === "bottom");
  const top = marked ? ROOM_PX.marked : ROOM_PX.plain;
  const bottom = base.hidden !== null ? ROOM_PX.strip : markedLow ? ROOM_PX.marked : ROOM_PX.plain;
  const perPx = (range.high - range.low) / Math.max(8, spec.heightPx - top - bottom);
  const domain = { low: range.low - bottom * perPx, high: range.high + top * perPx };
  const bounds = { low: range.low - ROOM_PX.clamp * perPx, high: range.high + ROOM_PX.clamp * perPx };
  const draw = (line: SeriesLine, role: LineRole, index: number): LaneLine =>
    laneLine({
      line, role, transform, bounds, axisIsStep, xPerPx: input.xPerPx,
      smoothing: input.smoothing,
      key: `${role}-${line.attempt}-${labelKey(line)}-${index}`,
      series: role === "overlay" ? 2 : groups.length > 1 ? groups.indexOf(labelKey(line)) + 1 : null,
      label: lineLabel(line, role, groups.length > 1, input.overlay?.name ?? ""),
    });
  const lines = [
    ...drawn.map((line, index) => draw(line, line.superseded ? "superseded" : "effective", index)),
    ...over.map((line, index) => draw(line, "overlay", index)),
  ];
  const ticks = yTicks(transform, range.low, range.high, tickCount(spec.heightPx), base.prefix.divide);
  return { ...base, domain, ticks, lines: withoutRepeatedLabels(lines), offScale, empty: null };
}

function tickCount(heightPx: number): number {
  return Math.min(5, Math.max(2, Math.floor(heightPx / 32)));
}

function labelKey(line: SeriesLine): string {
  return Object.entries(line.labels).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`).join(" ");
}

function lineLabel(line: SeriesLine, role: LineRole, several: boolean, overlayName: string): string | null {
  if (role === "overlay") return overlayName;
  if (role === "superseded") return `${line.attempt}, rolled back`;
  return several ? labelKey(line) || line.attempt : null;
}

/** Attempts of one series follow one another: the label stands at the end of the last of them. */
function withoutRepeatedLabels(lines: readonly LaneLine[]): readonly LaneLine[] {
  const last = new Map<string, LaneLine>();
  for (const line of lines) {
    const text = line.endLabel?.text;
    const before = text === undefined ? undefined : last.get(text);
    if (text !== undefined && (before === undefined || (before.endLabel?.x ?? 0) < (line.endLabel?.x ?? 0))) last.set(text, line);
  }
  const kept = new Set(last.values());
  return lines.map((line) => (line.endLabel === null || kept.has(line) ? line : { ...line, endLabel: null }));
}

function shifted(line: SeriesLine, shift: number): SeriesLine {
  if (shift === 0) return line;
  const move = (x: number | null): number | null => (x === null ? null : x + shift);
  return { ...line, x: line.x.map((x) => x + shift), minX: line.minX.map(move), maxX: line.maxX.map(move) };
}

function extremes(line: SeriesLine): readonly number[] {
  return [...line.min, ...line.max].filter((value) => value !== null);
}

function scaledValues(line: SeriesLine, transform: Transform): readonly number[] {
  return [...line.min, ...line.max, ...line.mean].flatMap((value) => {
    const scaled = value === null ? null : transform.forward(value);
    return scaled === null ? [] : [scaled];
  });
}

function newestLevels(lines: readonly SeriesLine[], transform: Transform): readonly number[] {
  const newest = lines.reduce<SeriesLine | null>((best, line) => ((line.summary.lastStep ?? -1) >= (best?.summary.lastStep ?? -1) ? line : best), null);
  const level = newest?.mean.findLast((value) => value !== null) ?? null;
  const scaled = level === null ? null : transform.forward(level);
  return scaled === null ? [] : [scaled];
}

function totalsOf(lines: readonly SeriesLine[]): LaneTotals {
  let totals: LaneTotals = { points: 0, nonFinite: 0, min: null, minStep: null, max: null, maxStep: null, last: null, lastStep: null };
  for (const { summary } of lines) {
    const lower = summary.min !== null && (totals.min === null || summary.min < totals.min);
    const higher = summary.max !== null && (totals.max === null || summary.max > totals.max);
    const newer = summary.lastStep !== null && (totals.lastStep === null || summary.lastStep >= totals.lastStep);
    totals = {
      points: totals.points + summary.points,
      nonFinite: totals.nonFinite + summary.nonFinite,
      min: lower ? summary.min : totals.min,
      minStep: lower ? summary.minStep : totals.minStep,
      max: higher ? summary.max : totals.max,
      maxStep: higher ? summary.maxStep : totals.maxStep,
      last: newer ? summary.last : totals.last,
      lastStep: newer ? summary.lastStep : totals.lastStep,
    };
  }
  return totals;
}

function hiddenOf(lines: readonly SeriesLine[]): HiddenOnLog | null {
  let zeros = 0;
  let negatives = 0;
  const at: number[] = [];
  for (const line of lines) {
    zeros += line.summary.zeros;
    negatives += line.summary.negatives;
    line.min.forEach((value, index) => {
      if (value !== null && value <= 0) at.push(line.minX[index] ?? line.x[index] ?? 0);
    });
  }
  return hiddenOnLog(zeros, negatives, at);
}

function emptyReason(own: readonly SeriesLine[], hidden: HiddenOnLog | null): string {
  const points = own.reduce((sum, line) => sum + line.summary.points, 0);
  if (points === 0) return "no data in this range";
  return hidden === null ? "no finite value in this range" : `nothing positive to draw on a log axis, ${hidden.text}`;
}

const PREFIXES = [
  { divide: 1e12, word: "T" },
  { divide: 1e9, word: "B" },
  { divide: 1e6, word: "M" },
] as const;

function prefixFor(largest: number): Lane["prefix"] {
  return PREFIXES.find(({ divide }) => largest >= divide && largest < divide * 1e3) ?? { divide: 1, word: "" };
}

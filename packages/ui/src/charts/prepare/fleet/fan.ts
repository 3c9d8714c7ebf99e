import type { FleetWindow, FleetWindowSeries } from "@trainwatch/core";
import { gpuOf } from "@trainwatch/core";
import { median } from "@trainwatch/stats";

/** Lines of one metric over wall time, ready to be drawn. */
export interface Fan {
  /** Middle of each bucket, epoch ms. */
  readonly xMs: readonly number[];
  readonly lines: readonly FanLine[];
  /** Of everything stored within the window; null where there is nothing. */
  readonly range: { readonly low: number; readonly high: number } | null;
  readonly readings: number;
  /** NaN, infinities and values out of bounds, which no line can show. */
  readonly leftOut: { readonly nonFinite: number; readonly invalid: number };
}

export interface FanLine {
  readonly title: string;
  readonly series: FleetWindowSeries;
  readonly isLit: boolean;
}

/** A real reading, and of how many in its bucket it is the lowest or highest. */
export interface FanSample {
  readonly line: number;
  readonly bucket: number;
  readonly value: number;
  readonly atMs: number;
  readonly of: "only" | "highest" | "lowest";
  readonly count: number;
}

export interface FanInput {
  readonly window: FleetWindow;
  /** What a line is called. */
  readonly title: (series: FleetWindowSeries) => string;
  /** The entity whose line is the one that matters; null where all weigh the same. */
  readonly lit: string | null;
}

export function prepareFan({ window, title, lit }: FanInput): Fan {
  const xMs = window.startMs.map((start, index) => (start + (window.startMs[index + 1] ?? window.toMs)) / 2);
  const lines = window.series.map((series): FanLine => ({
    title: title(series),
    series,
    isLit: lit !== null && series.entity !== null && (series.entity.id === lit || gpuOf(series.entity.id) === lit),
  }));
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let readings = 0;
  let nonFinite = 0;
  let invalid = 0;
  for (const { series } of lines) {
    series.count.forEach((count, bucket) => {
      readings += count;
      nonFinite += series.nonFinite[bucket] ?? 0;
      invalid += series.invalid[bucket] ?? 0;
      const min = series.min[bucket];
      const max = series.max[bucket];
      if (typeof min === "number" && min < low) low = min;
      if (typeof max === "number" && max > high) high = max;
    });
  }
  return { xMs, lines, range: low > high ? null : { low, high }, readings, leftOut: { nonFinite, invalid } };
}

/** A gap is told from the line's own habit: so many times its usual distance between buckets that hold something. */
const GAP_FACTOR = 2.5;

/** Means for drawing: null where the line breaks, undefined where a bucket is empty only because readings come less often than buckets. */
export function drawnMeans(series: Pick<FleetWindowSeries, "mean">): readonly (number | null | undefined)[] {
  const filled = series.mean.flatMap((value, bucket) => (value === null ? [] : [bucket]));
  const usual = median(filled.slice(1).map((bucket, index) => bucket - (filled[index] ?? 0)));
  const drawn: (number | null | undefined)[] = [...series.mean];
  filled.slice(1).forEach((bucket, index) => {
    const before = filled[index] ?? 0;
    if (bucket - before > Math.max(1, usual * GAP_FACTOR)) return;
    for (let between = before + 1; between < bucket; between++) drawn[between] = undefined;
  });
  return drawn;
}

/** How far beside the pointer a reading is looked for, as a share of the plot: buckets are often finer than readings come. */
const REACH = 0.04;

/** The stored reading nearest to a point of the plot: an extreme of the nearest bucket that holds one, of the line that runs closest. */
export function snapFan({ lines, range, xMs }: Fan, bucket: number, value: number): FanSample | null {
  if (range === null) return null;
  const reach = Math.ceil(xMs.length * REACH);
  for (let away = 0; away <= reach; away++) {
    const found = [bucket - away, bucket + away].flatMap((near) => lines.flatMap(({ series }, line) => samplesOf(series, line, near)));
    const [first, ...others] = found;
    if (first === undefined) continue;
    return others.reduce((best, sample) => (Math.abs(sample.value - value) < Math.abs(best.value - value) ? sample : best), first);
  }
  return null;
}

function samplesOf(series: FleetWindowSeries, line: number, bucket: number): readonly FanSample[] {
  const count = series.count[bucket] ?? 0;
  const min = series.min[bucket] ?? null;
  const max = series.max[bucket] ?? null;
  const minAtMs = series.minAtMs[bucket] ?? null;
  const maxAtMs = series.maxAtMs[bucket] ?? null;
  if (min === null || max === null || minAtMs === null || maxAtMs === null) return [];
  if (count <= 1 || min === max) return [{ line, bucket, value: max, atMs: maxAtMs, of: "only", count }];
  return [
    { line, bucket, value: max, atMs: maxAtMs, of: "highest", count },
    { line, bucket, value: min, atMs: minAtMs, of: "lowest", count },
  ];
}

/** Names at the right end of lines, moved apart so that they can be read; in the order of the lines. Pixels from the top. */
export function spreadLabels(at: readonly number[], gapPx: number, heightPx: number): readonly number[] {
  const order = at.map((_, index) => index).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const placed: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    last = Math.max(at[index] ?? 0, last + gapPx);
    placed[index] = last;
  }
  const over = Math.max(0, last - heightPx);
  return placed.map((y) => Math.max(0, y - over));
}

/** What the lines say, for those who do not see them. */
export function fanSummary(fan: Fan, name: string, say: (value: number) => string): string {
  if (fan.range === null) return `${name}: no reading in this window.`;
  const means = fan.lines.map(({ series }) => median(series.mean.filter((value) => value !== null)));
  const highest = fan.lines[means.indexOf(Math.max(...means))];
  const lit = fan.lines.find((line) => line.isLit);
  return [
    `${name}: ${fan.lines.length} lines, from ${say(fan.range.low)} to ${say(fan.range.high)}.`,
    highest === undefined ? "" : `Highest on the whole: ${highest.title}.`,
    lit === undefined ? "" : `${lit.title} is the one marked.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

import { nonFiniteWord, type Axis, type NonFiniteWord, type SeriesLine, type SeriesWindow } from "@trainwatch/core";

/** What tests say about a line; the rest has the commonest value. */
export interface LineGiven {
  readonly metric?: string;
  readonly unit?: string | null;
  readonly attempt?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly superseded?: boolean;
  readonly members?: number;
  /** Step, value, and position where the axis is not the step. NaN and infinities are values. */
  readonly points: readonly (readonly [step: number, value: number, x?: number])[];
}

export interface WindowGiven {
  readonly lines: readonly LineGiven[];
  readonly spreads?: readonly LineGiven[];
  readonly axis?: Axis;
  readonly from?: number;
  readonly to?: number;
  readonly buckets?: number;
}

/** A window as the server would answer it: equal buckets over the range, exact extremes, statistics of all points. */
export function seriesWindow({ lines, spreads = [], axis = "step", from, to, buckets = 1024 }: WindowGiven): SeriesWindow {
  const xs = lines.flatMap((line) => line.points.map(([step, , x]) => x ?? step));
  const low = from ?? xs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = to ?? xs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const steps = lines.flatMap((line) => line.points.map(([step]) => step));
  const built = lines.map((line) => seriesLine(line, low, high, buckets));
  return {
    axis,
    from: Number.isFinite(low) ? low : null,
    to: Number.isFinite(high) ? high : null,
    fromStep: steps.length === 0 ? null : steps.reduce((a, b) => Math.min(a, b)),
    toStep: steps.length === 0 ? null : steps.reduce((a, b) => Math.max(a, b)),
    buckets,
    points: built.reduce((sum, line) => sum + line.summary.points, 0),
    lines: built,
    spreads: spreads.map((line) => seriesLine(line, low, high, buckets)),
  };
}

interface Bucket {
  readonly points: { readonly step: number; readonly value: number; readonly x: number }[];
}

function seriesLine(given: LineGiven, from: number, to: number, buckets: number): SeriesLine {
  const width = (to - from) / buckets || 1;
  const byIndex = new Map<number, Bucket>();
  for (const [step, value, x = step] of given.points) {
    if (x < from || x > to) continue;
    const index = Math.min(buckets - 1, Math.floor((x - from) / width));
    const bucket = byIndex.get(index) ?? { points: [] };
    bucket.points.push({ step, value, x });
    byIndex.set(index, bucket);
  }
  const filled = [...byIndex].sort(([a], [b]) => a - b).map(([, bucket]) => bucket.points);
  const stats = filled.map(bucketStats);
  const finite = filled.flat().filter((point) => Number.isFinite(point.value));
  const all = bucketStats(filled.flat());
  return {
    metric: given.metric ?? "loss",
    unit: given.unit ?? null,
    attempt: given.attempt ?? "a1",
    labels: given.labels ?? {},
    members: given.members ?? 1,
    superseded: given.superseded ?? false,
    x: filled.map((points) => points[0]?.x ?? 0),
    stepFirst: filled.map((points) => points[0]?.step ?? 0),
    stepLast: filled.map((points) => points.at(-1)?.step ?? 0),
    count: filled.map((points) => points.length),
    mean: stats.map((stat) => stat.mean),
    min: stats.map((stat) => stat.min?.value ?? null),
    max: stats.map((stat) => stat.max?.value ?? null),
    minX: stats.map((stat) => stat.min?.x ?? null),
    maxX: stats.map((stat) => stat.max?.x ?? null),
    minStep: stats.map((stat) => stat.min?.step ?? null),
    maxStep: stats.map((stat) => stat.max?.step ?? null),
    last: filled.map((points) => points.findLast((point) => Number.isFinite(point.value))?.value ?? null),
    nonFinite: filled.flatMap((points, bucket) => nonFiniteOf(points, bucket)),
    summary: {
      points: filled.reduce((sum, points) => sum + points.length, 0),
      nonFinite: filled.flat().length - finite.length,
      zeros: finite.filter((point) => point.value === 0).length,
      negatives: finite.filter((point) => point.value < 0).length,
      min: all.min?.value ?? null,
      minStep: all.min?.step ?? null,
      max: all.max?.value ?? null,
      maxStep: all.max?.step ?? null,
      last: finite.at(-1)?.value ?? null,
      lastStep: finite.at(-1)?.step ?? null,
    },
  };
}

function bucketStats(points: Bucket["points"]) {
  const finite = points.filter((point) => Number.isFinite(point.value));
  const first = finite[0];
  if (first === undefined) return { mean: null, min: null, max: null };
  return {
    mean: finite.reduce((sum, point) => sum + point.value, 0) / finite.length,
    min: finite.reduce((best, point) => (point.value < best.value ? point : best), first),
    max: finite.reduce((best, point) => (point.value > best.value ? point : best), first),
  };
}

function nonFiniteOf(points: Bucket["points"], bucket: number): readonly (readonly [number, NonFiniteWord, number, number])[] {
  const found = new Map<NonFiniteWord, { count: number; firstStep: number }>();
  for (const point of points) {
    const word = nonFiniteWord(point.value);
    if (word === undefined) continue;
    const entry = found.get(word) ?? { count: 0, firstStep: point.step };
    found.set(word, { ...entry, count: entry.count + 1 });
  }
  return [...found].map(([word, { count, firstStep }]) => [bucket, word, count, firstStep] as const);
}

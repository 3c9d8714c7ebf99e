import type { SeriesLine, SeriesWindow, Sparkline } from "@trainwatch/core";
import type pg from "pg";
import { type WindowQuestion, readWindow } from "./window.ts";

/** Values of a preview line, and at most so many buckets of the window that it is made of. */
export const SPARKLINE_VALUES = 64;
/** Buckets further apart than so many usual distances have data missing between them. */
const GAP_DISTANCES = 2;
/** A step takes the place from itself to the next; so far into it is still its own. */
const STEP_END = 0.999;

export interface SparklineQuestion extends Pick<WindowQuestion, "runId" | "attempts" | "from" | "to"> {
  /** Canonical name. */
  readonly metric: string;
}

/** A preview line of a metric over a range of steps; empty for a run without the metric. Expects a read transaction. */
export async function readSparkline(client: pg.ClientBase, { metric, ...question }: SparklineQuestion): Promise<Sparkline> {
  return sparklineOf(await readWindow(client, { ...question, metrics: [metric], axis: "step", buckets: SPARKLINE_VALUES }));
}

/** What a preview line is made of: a window on the step axis. */
export interface SparklineWindow extends Pick<SeriesWindow, "fromStep" | "toStep"> {
  readonly lines: readonly Pick<SeriesLine, "labels" | "stepFirst" | "stepLast" | "count" | "mean">[];
}

interface Bucket {
  readonly first: number;
  readonly last: number;
  readonly middle: number;
  readonly points: number;
  /** Null where it holds no finite point. */
  readonly mean: number | null;
}

/**
 * The line without labels of a window (the first, where there is none) in 64 equal stretches of its steps. A stretch has the
 * mean of the buckets whose middle lies in it. A window may answer fewer buckets than there are stretches, and a run may have fewer points:
 * a stretch that is empty for that reason lies on the straight line between its neighbours. Null only where data is missing: no finite
 * point, or neighbours more than two usual distances apart. Empty for a window without a line.
 */
export function sparklineOf({ lines, fromStep, toStep }: SparklineWindow): Sparkline {
  const buckets = ownBuckets(lines);
  if (fromStep === null || toStep === null || buckets.length === 0) return { values: [] };
  const span = Math.max(1, toStep - fromStep + 1);
  const slotOf = (step: number): number =>
    Math.min(SPARKLINE_VALUES - 1, Math.max(0, Math.floor(((step - fromStep) * SPARKLINE_VALUES) / span)));
  const values = slotMeans(buckets, slotOf);
  // Nothing lies beyond the outermost buckets to draw a line to: their means stand for as far as their steps reach.
  const [head, tail] = [buckets[0], buckets.at(-1)];
  if (head !== undefined) fill(values, slotOf(head.first), slotOf(head.middle), head.mean);
  if (tail !== undefined) fill(values, slotOf(tail.middle), slotOf(tail.last + STEP_END), tail.mean);
  const usual = usualDistance(buckets);
  for (const [index, next] of buckets.entries()) {
    const before = buckets[index - 1];
    if (before === undefined || before.mean === null || next.mean === null || next.middle - before.middle > GAP_DISTANCES * usual) continue;
    join(values, slotOf(before.middle), slotOf(next.middle));
  }
  return { values };
}

function ownBuckets(lines: SparklineWindow["lines"]): readonly Bucket[] {
  const own = lines.find(({ labels }) => Object.keys(labels).length === 0) ?? lines[0];
  const key = JSON.stringify(own?.labels);
  return lines
    .filter(({ labels }) => JSON.stringify(labels) === key)
    .flatMap(({ stepFirst, stepLast, count, mean }) =>
      stepFirst.map((first, index): Bucket => {
        const last = stepLast[index] ?? first;
        return { first, last, middle: (first + last + 1) / 2, points: count[index] ?? 0, mean: mean[index] ?? null };
      }),
    )
    .sort((a, b) => a.middle - b.middle);
}

/** Means weighted by points; null for a stretch in which no bucket with a finite point has its middle. */
function slotMeans(buckets: readonly Bucket[], slotOf: (step: number) => number): (number | null)[] {
  const means = new Float64Array(SPARKLINE_VALUES);
  const weights = new Float64Array(SPARKLINE_VALUES);
  const known = buckets.filter(({ mean }) => mean !== null);
  for (const { middle, points } of known) weights[slotOf(middle)] = (weights[slotOf(middle)] ?? 0) + points;
  for (const { middle, points, mean } of known) {
    const slot = slotOf(middle);
    // A share of each: the sum of large means can be more than a double holds, their mean cannot.
    means[slot] = (means[slot] ?? 0) + (mean ?? 0) * (points / (weights[slot] ?? 1));
  }
  return Array.from(means, (mean, slot) => ((weights[slot] ?? 0) === 0 ? null : mean));
}

/** Median distance between neighbours: holes do not move it. */
function usualDistance(buckets: readonly Bucket[]): number {
  const distances = buckets.slice(1).map(({ middle }, index) => middle - (buckets[index]?.middle ?? 0));
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 2)] ?? 0;
}

function fill(values: (number | null)[], from: number, to: number, mean: number | null): void {
  for (let slot = from; slot <= to; slot++) values[slot] ??= mean;
}

/** Puts what lies between two stretches on the straight line between them. */
function join(values: (number | null)[], from: number, to: number): void {
  const [start, end] = [values[from] ?? null, values[to] ?? null];
  if (start === null || end === null) return;
  // By halves: the distance of the largest doubles is none.
  const half = end / 2 - start / 2;
  for (let slot = from + 1; slot < to; slot++) values[slot] = 2 * (start / 2 + half * ((slot - from) / (to - from)));
}

import type { NonFiniteWord, SeriesLine } from "@trainwatch/core";
import { addCells, newScratch } from "./accumulate.ts";
import { BIG, type Cells, emptyCells, unpackedCells } from "./cells.ts";
import type { AttemptView } from "./attempt-view.ts";

type Drawn = Omit<SeriesLine, "metric" | "unit" | "attempt" | "labels" | "members" | "superseded">;

/** The buckets that hold something, as the columns of a line. */
export function emitLine(buckets: Cells, view: AttemptView): Drawn {
  const full: number[] = [];
  for (let index = 0; index < buckets.count; index++) if ((buckets.points[index] ?? 0) > 0) full.push(index);
  const whole = emptyCells(1);
  addCells(
    whole,
    unpackedCells(buckets),
    Int32Array.from(buckets.points, (points) => (points > 0 ? 0 : -1)),
    newScratch(0),
  );
  const numbers = (column: Float64Array): number[] => full.map((index) => column[index] ?? 0);
  const orNull = (column: Float64Array): (number | null)[] => full.map((index) => nullIfNaN(column[index]));
  const placed = (steps: Float64Array, times: Float64Array): (number | null)[] =>
    full.map((index) => {
      const step = steps[index] ?? Number.NaN;
      return Number.isNaN(step) ? null : (view.x(step, times[index] ?? Number.NaN) ?? null);
    });
  return {
    x: full.map((index) => view.x(buckets.stepFirst[index] ?? 0, buckets.timeFirst[index] ?? Number.NaN) ?? 0),
    stepFirst: numbers(buckets.stepFirst),
    stepLast: numbers(buckets.stepLast),
    count: numbers(buckets.points),
    mean: full.map((index) => meanAt(buckets, index)),
    min: orNull(buckets.min),
    max: orNull(buckets.max),
    minX: placed(buckets.minStep, buckets.minTime),
    maxX: placed(buckets.maxStep, buckets.maxTime),
    minStep: orNull(buckets.minStep),
    maxStep: orNull(buckets.maxStep),
    last: orNull(buckets.last),
    nonFinite: full.flatMap((index, position) => nonFiniteAt(buckets, index, position)),
    summary: {
      points: whole.points[0] ?? 0,
      nonFinite: nonFiniteCount(whole, 0),
      zeros: whole.zeros[0] ?? 0,
      negatives: whole.negatives[0] ?? 0,
      min: nullIfNaN(whole.min[0]),
      minStep: nullIfNaN(whole.minStep[0]),
      max: nullIfNaN(whole.max[0]),
      maxStep: nullIfNaN(whole.maxStep[0]),
      last: nullIfNaN(whole.last[0]),
      lastStep: nullIfNaN(whole.lastStep[0]),
    },
  };
}

/** Null where there is no finite point. */
export function meanAt(cells: Cells, index: number): number | null {
  const points = (cells.points[index] ?? 0) - nonFiniteCount(cells, index);
  if (points === 0) return null;
  const [sum, bigSum] = [cells.sum[index] ?? 0, cells.bigSum[index] ?? 0];
  // Cells packed before `bigSum` was there may hold a sum that had overflown: their mean is not known.
  if (!Number.isFinite(sum)) return null;
  if (bigSum === 0) return sum / points;
  // Rounding must not carry the mean of the largest doubles beyond them.
  return Math.max(cells.min[index] ?? 0, Math.min(cells.max[index] ?? 0, sum / points + (bigSum / points) * BIG));
}

function nonFiniteCount(cells: Cells, index: number): number {
  return (cells.nans[index] ?? 0) + (cells.posInfs[index] ?? 0) + (cells.negInfs[index] ?? 0);
}

function nonFiniteAt(cells: Cells, index: number, position: number): [number, NonFiniteWord, number, number][] {
  const kinds: [NonFiniteWord, Float64Array, Float64Array][] = [
    ["NaN", cells.nans, cells.nanStep],
    ["Infinity", cells.posInfs, cells.posInfStep],
    ["-Infinity", cells.negInfs, cells.negInfStep],
  ];
  return kinds.flatMap(([word, counts, steps]): [number, NonFiniteWord, number, number][] =>
    (counts[index] ?? 0) > 0 ? [[position, word, counts[index] ?? 0, steps[index] ?? 0]] : [],
  );
}

function nullIfNaN(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

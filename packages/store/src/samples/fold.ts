import { addCells, addPoints, newScratch } from "./accumulate.ts";
import { type Cells, emptyCells, unpackedCells } from "./cells.ts";
import type { Points } from "./points.ts";

/** At most so many points or cells make one cell of the next level, however many share its steps (a step that never moves). */
const LONGEST_CELL = 32;
/** Levels are powers of two in steps, three apart: each has about an eighth of the entries of the one below. */
const LEVEL_STRIDE = 3;
/** Beyond this a cell would be wider than the largest step. */
const HIGHEST_LEVEL = 51;

/** The level above `below` for entries that are `gap` steps apart: its cells hold 4 to 32 of them. */
export function levelAbove(below: number, gap: number): number {
  let level = below + LEVEL_STRIDE;
  while (level < HIGHEST_LEVEL && 2 ** level < 4 * gap) level += LEVEL_STRIDE;
  return level;
}

/** The coarsest level whose cells lie wholly in buckets of `2^exponent` steps; 0 is single points. */
export function levelWithin(exponent: number): number {
  return Math.max(0, Math.floor(Math.min(exponent, HIGHEST_LEVEL) / LEVEL_STRIDE) * LEVEL_STRIDE);
}

/** The steps that a cell of `level` may cover together with `step`: a whole multiple of 2^level and what follows. */
export function cellStart(step: number, level: number): number {
  const width = 2 ** level;
  return Math.floor(step / width) * width;
}

/**
 * Cells of 2^level steps from points in the order of step. A cell never spans a boundary of its level, so that a chart's bucket is whole
 * cells. Where time goes back (a clock was set) a new one begins, so that a cell does not stretch over the hours between.
 */
export function foldPoints(points: Points, level: number): Cells {
  const { step, timeMs, count } = points;
  const begins = cellCutter(level);
  const starts: number[] = [];
  for (let index = 0; index < count; index++) {
    const time = timeMs[index] ?? Number.NaN;
    if (begins(step[index] ?? 0, time, time)) starts.push(index);
  }
  const cells = emptyCells(starts.length);
  starts.forEach((start, cell) => addPoints(cells, cell, points, start, starts[cell + 1] ?? count));
  return cells;
}

/** Cells of 2^level steps from finer ones in the order of their first step. */
export function foldCells(finer: Cells, level: number): Cells {
  const begins = cellCutter(level);
  const places = new Int32Array(finer.count);
  let cell = -1;
  for (let index = 0; index < finer.count; index++) {
    if (begins(finer.stepFirst[index] ?? 0, finer.timeFirst[index] ?? Number.NaN, finer.timeLast[index] ?? Number.NaN)) cell++;
    places[index] = cell;
  }
  const cells = emptyCells(cell + 1);
  addCells(cells, unpackedCells(finer), places, newScratch(0));
  return cells;
}

/**
 * Says of one entry after another whether a new cell begins with it. Two entries at least go into a cell whatever the clock does, or
 * a source with two clocks would have as many cells on every level, and levels without end.
 */
function cellCutter(level: number): (step: number, timeFirst: number, timeLast: number) => boolean {
  const width = 2 ** level;
  let boundary = -Infinity;
  let members = 0;
  let newest = Number.NaN;
  return (step, timeFirst, timeLast) => {
    const begins = step >= boundary || members === LONGEST_CELL || (members >= 2 && timeFirst < newest);
    if (begins) {
      members = 0;
      boundary = cellStart(step, level) + width;
    }
    members++;
    if (timeLast === timeLast) newest = timeLast;
    return begins;
  };
}

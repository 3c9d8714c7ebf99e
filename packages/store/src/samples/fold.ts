import { addCell, addPoint } from "./accumulate.ts";
import { type Cells, emptyCells, sliceCells } from "./cells.ts";
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
 * Cells of 2^level steps from points in the order of step. A cell never spans a boundary of its level, so a chart's bucket is whole
 * cells. Within a cell time does not go back, and either every point has one or none: so a range of time is whole cells but for its ends.
 */
export function foldPoints(points: Points, level: number): Cells {
  const { step, timeMs } = points;
  const cells = emptyCells(points.count);
  let cell = -1;
  let members = 0;
  let boundary = -Infinity;
  for (let index = 0; index < points.count; index++) {
    const at = step[index] ?? 0;
    const time = timeMs[index] ?? Number.NaN;
    const before = timeMs[index - 1] ?? Number.NaN;
    if (at >= boundary || members === LONGEST_CELL || breaksTime(before, time)) {
      cell++;
      members = 0;
      boundary = cellStart(at, level) + 2 ** level;
    }
    members++;
    addPoint(cells, cell, points, index);
  }
  return sliceCells(cells, 0, cell + 1);
}

/** Cells of 2^level steps from finer ones in the order of their first step. */
export function foldCells(finer: Cells, level: number): Cells {
  const cells = emptyCells(finer.count);
  let cell = -1;
  let members = 0;
  let boundary = -Infinity;
  for (let index = 0; index < finer.count; index++) {
    const at = finer.stepFirst[index] ?? 0;
    if (at >= boundary || members === LONGEST_CELL || breaksTime(finer.timeLast[index - 1] ?? Number.NaN, finer.timeFirst[index] ?? Number.NaN)) {
      cell++;
      members = 0;
      boundary = cellStart(at, level) + 2 ** level;
    }
    members++;
    addCell(cells, cell, finer, index);
  }
  return sliceCells(cells, 0, cell + 1);
}

/** Whether time goes back from `before` to `after`, or one of the two has none. */
function breaksTime(before: number, after: number): boolean {
  return before === before ? !(after >= before) : after === after;
}

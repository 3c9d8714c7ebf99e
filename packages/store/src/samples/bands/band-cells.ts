import { addCells, addPoints, newScratch } from "../accumulate.ts";
import { type Cells, emptyCells, mergeCells, sliceCells, unpackedCells } from "../cells.ts";
import { type Block, FULL_CELLS, cellsBlock } from "../block.ts";
import { cellStart } from "../fold.ts";
import type { Points } from "../points.ts";
import { type Band, bandSeries } from "./band-table.ts";

/** Points of many series, each in the order of step, as one cell a step. */
export function stepCells(parts: readonly Points[]): Cells {
  const places = new Map<number, number>();
  for (const { step, count } of parts) for (let index = 0; index < count; index++) places.set(step[index] ?? 0, 0);
  const steps = Float64Array.from(places.keys()).sort();
  steps.forEach((step, at) => places.set(step, at));
  const cells = emptyCells(steps.length);
  for (const part of parts) {
    for (let from = 0; from < part.count;) {
      const step = part.step[from] ?? 0;
      let to = from + 1;
      while (to < part.count && part.step[to] === step) to++;
      addPoints(cells, places.get(step) ?? 0, part, from, to);
      from = to;
    }
  }
  return cells;
}

/** Cells of 2^level steps from finer ones, in any order: no two of them share a stretch, so that a band of any number of pushes is one cell a stretch. */
export function joinByStretch(parts: readonly Cells[], level: number): Cells {
  const finer = mergeCells(parts);
  const places = new Int32Array(finer.count);
  let cell = -1;
  let start = Number.NaN;
  for (let index = 0; index < finer.count; index++) {
    const here = cellStart(finer.stepFirst[index] ?? 0, level);
    if (here !== start) cell++;
    start = here;
    places[index] = cell;
  }
  const cells = emptyCells(cell + 1);
  addCells(cells, unpackedCells(finer), places, newScratch(0));
  return cells;
}

/** Rows of a band from cells of one step each. */
export function bandBlocks(band: Band, cells: Cells): readonly Block[] {
  const owner = { seriesId: bandSeries(band), attemptId: band.attemptId };
  const blocks: Block[] = [];
  for (let at = 0; at < cells.count; at += FULL_CELLS) blocks.push(cellsBlock(owner, 0, sliceCells(cells, at, at + FULL_CELLS)));
  return blocks;
}

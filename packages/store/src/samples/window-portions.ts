import { FULL_POINTS } from "./block.ts";
import type { LineHead } from "./window-lines.ts";

/** Points and cells that are in memory at a time, about: 20 to 60 MB. */
const ENTRIES_AT_ONCE = 1_048_576;
/** A level of cells is at most so much finer than the buckets. */
const CELLS_A_BUCKET = 8;

/**
 * Series of a window, cut so that what is read of a portion fits in memory. By the mean of the line: its ranks log alike. Short series may
 * lie as a row a push each, so that their points are counted; of long ones (and of a band) the cells are read, and a row of points at either end.
 */
export function portionsOf(
  seriesOfLines: readonly (readonly number[])[],
  heads: readonly LineHead[],
  buckets: number,
): readonly (readonly number[])[] {
  const points = new Float64Array(seriesOfLines.length);
  for (const head of heads) points[head.line] = (points[head.line] ?? 0) + head.points;
  const portions: number[][] = [];
  let room = 0;
  seriesOfLines.forEach((seriesIds, line) => {
    const entries = Math.min((points[line] ?? 0) / seriesIds.length, CELLS_A_BUCKET * buckets + 2 * FULL_POINTS) + 1;
    for (const id of seriesIds) {
      room -= entries;
      const open = portions.at(-1);
      if (open !== undefined && room >= 0) open.push(id);
      else {
        portions.push([id]);
        room = ENTRIES_AT_ONCE - entries;
      }
    }
  });
  return portions;
}

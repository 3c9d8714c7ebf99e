import { normalDraw, seededRandom } from "./random.ts";
import type { Random } from "./random.ts";

/** Standard normal draws that many comparisons share, made as far as they are needed; the same for the same seed. */
export interface DrawTable {
  /** At least `draws` rows of `width` normals, one row after another. */
  rows(width: number, draws: number): Float64Array;
}

/** A table to be shared by the rows of a page, which saves making the normals anew for each. */
export function newDrawTable(seed: number): DrawTable {
  const streams = new Map<number, { readonly random: Random; values: Float64Array }>();
  return {
    rows(width, draws) {
      const stream = streams.get(width) ?? { random: seededRandom(seed), values: new Float64Array(0) };
      streams.set(width, stream);
      const made = stream.values.length;
      if (made < width * draws) {
        const grown = new Float64Array(width * draws);
        grown.set(stream.values);
        for (let at = made; at < grown.length; at++) grown[at] = normalDraw(stream.random);
        stream.values = grown;
      }
      return stream.values;
    },
  };
}

import type { ReleaseComparison } from "@trainwatch/core";
import { createShelf } from "../fleet/held-answers.ts";

/** Comparisons that were made before: a page asks for its own again and again, and it costs seconds. */
export interface Comparisons {
  /** The comparison under a key that names all it was made of; made by `ask` where it is not held. `cells`: about how many it has. */
  get(key: string, cells: number, ask: () => Promise<ReleaseComparison>): Promise<ReleaseComparison>;
}

/** A cell is about 1 kB with its notes and differences. */
const MOST_CELLS = 100_000;

export function createComparisons(): Comparisons {
  const shelf = createShelf<ReleaseComparison>(MOST_CELLS);
  return { get: (key, cells, ask) => shelf.get(key, ask, Math.max(1, cells)) };
}

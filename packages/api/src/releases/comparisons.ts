import type { ComparedForGates } from "@trainwatch/decide";
import { createShelf } from "../fleet/held-answers.ts";

/** Comparisons that were made before: a page asks for its own again and again, and it costs seconds. */
export interface Comparisons {
  /** The comparison under a key that names all it was made of; made by `ask` where it is not held. `cells`: about how many it has. */
  get(key: string, cells: number, ask: () => Promise<ComparedForGates>): Promise<ComparedForGates>;
}

/** A cell is about 1 kB with its notes and differences. */
const MOST_CELLS = 100_000;

export function createComparisons(): Comparisons {
  const shelf = createShelf<ComparedForGates>(MOST_CELLS);
  return { get: (key, cells, ask) => shelf.get(key, ask, Math.max(1, cells)) };
}

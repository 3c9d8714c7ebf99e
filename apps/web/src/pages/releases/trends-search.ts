import { DIMENSIONS, type Dimension } from "@trainwatch/core";
import { present, readInteger, readText, readWord } from "../../url/read.ts";

export interface TrendsSearch {
  /** The run whose checkpoints are shown; left out: the runs that have any. */
  readonly run?: number;
  readonly dimension?: Dimension;
  /** Part of a measure's name, or of a run's where none is chosen. */
  readonly q?: string;
}

export function readTrendsSearch(raw: Record<string, unknown>): TrendsSearch {
  return present<TrendsSearch>({
    run: readInteger(raw["run"], 1),
    dimension: readWord(raw["dimension"], DIMENSIONS),
    q: readText(raw["q"]),
  });
}

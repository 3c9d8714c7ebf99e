import { present, readInteger, readText } from "../../url/read.ts";

export interface CheckpointsSearch {
  /** Part of the run's name or of the path, or a step. */
  readonly q?: string;
  /** Those of one run alone. */
  readonly run?: number;
  /** Where the page begins, as the page before gave it. */
  readonly cursor?: string;
  /** The selected checkpoint. */
  readonly at?: number;
}

export function readCheckpointsSearch(raw: Record<string, unknown>): CheckpointsSearch {
  return present<CheckpointsSearch>({
    q: readText(raw["q"]),
    run: readInteger(raw["run"], 1),
    cursor: readText(raw["cursor"]),
    at: readInteger(raw["at"], 1),
  });
}

import { RUN_STATES, type RunState } from "@trainwatch/core";
import { present, readFlag, readInteger, readText, readWords } from "../../url/read.ts";

export interface RunsSearch {
  /** Part of `project/name`. */
  readonly q?: string;
  readonly state?: readonly RunState[];
  readonly archived?: true;
  /** Where the page begins, as the page before gave it. */
  readonly cursor?: string;
  /** The selected run. */
  readonly run?: number;
}

export function readRunsSearch(raw: Record<string, unknown>): RunsSearch {
  return present<RunsSearch>({
    q: readText(raw["q"]),
    state: readWords(raw["state"], RUN_STATES),
    archived: readFlag(raw["archived"]),
    cursor: readText(raw["cursor"]),
    run: readInteger(raw["run"], 1),
  });
}

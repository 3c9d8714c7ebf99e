import { CHECKPOINT_STATES, type CheckpointState } from "@trainwatch/core";
import { present, readInteger, readText, readWord, readWords } from "../../url/read.ts";

/** `effect`: on the way of today's weights. */
export const WAYS = ["effect", "rolled-back"] as const;
export type Way = (typeof WAYS)[number];

export interface CheckpointsSearch {
  /** Part of `project/name` of the run. */
  readonly q?: string;
  readonly state?: readonly CheckpointState[];
  readonly way?: Way;
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
    state: readWords(raw["state"], CHECKPOINT_STATES),
    way: readWord(raw["way"], WAYS),
    run: readInteger(raw["run"], 1),
    cursor: readText(raw["cursor"]),
    at: readInteger(raw["at"], 1),
  });
}

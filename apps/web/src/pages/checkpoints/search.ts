import { CHECKPOINT_STATES, type CheckpointState } from "@trainwatch/core";
import { present, readInteger, readText, readWord, readWords } from "../../url/read.ts";

export const LINEAGES = ["in-effect", "rolled-back"] as const;
export type Lineage = (typeof LINEAGES)[number];

export interface CheckpointsSearch {
  /** Part of the run's name or of the path, or a step. */
  readonly q?: string;
  /** Those of one run alone. */
  readonly run?: number;
  /** Left out: in any state. */
  readonly state?: readonly CheckpointState[];
  /** Left out: on the way of today's weights or not. */
  readonly lineage?: Lineage;
  /** Where the page begins, as the page before gave it. */
  readonly cursor?: string;
  /** The selected checkpoint. */
  readonly at?: number;
}

export function readCheckpointsSearch(raw: Record<string, unknown>): CheckpointsSearch {
  return present<CheckpointsSearch>({
    q: readText(raw["q"]),
    run: readInteger(raw["run"], 1),
    state: readWords(raw["state"], CHECKPOINT_STATES),
    lineage: readWord(raw["lineage"], LINEAGES),
    cursor: readText(raw["cursor"]),
    at: readInteger(raw["at"], 1),
  });
}

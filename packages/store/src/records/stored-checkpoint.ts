import type { Checkpoint } from "@trainwatch/core";

export interface StoredCheckpoint {
  readonly checkpointId: number;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string };
  readonly checkpoint: Checkpoint;
  readonly createdAtMs: number;
}

/** Steps of one attempt, ends included; null: from the beginning. */
export interface AttemptReach {
  readonly runId: number;
  readonly attempt: string;
  readonly throughStep: number;
}

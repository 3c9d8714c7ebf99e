import { CHECKPOINT_STATES, type Attempt, type Checkpoint, type RunNote } from "@trainwatch/core";
import type { Attempt as AttemptRow, Checkpoint as CheckpointRow, RunNote as NoteRow } from "../generated/client.ts";

export interface StoredAttempt extends Attempt {
  /** Its number in the sample tables. */
  readonly id: number;
  readonly ordinal: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}

const ORIGINS = ["source", "marker", "step-fell-back", "first"] as const satisfies readonly Attempt["origin"][];

export function attemptOf({
  id,
  ordinal,
  name,
  parent,
  branchStep,
  firstStep,
  lastStep,
  origin,
  question,
  startedAtMs,
  endedAtMs,
}: AttemptRow): StoredAttempt {
  const times = { startedAtMs, endedAtMs };
  return {
    id,
    ordinal,
    name,
    parent,
    branchStep,
    firstStep,
    lastStep,
    ...times,
    origin: ORIGINS.find((known) => known === origin) ?? "source",
    question: question === "counter-reset" ? question : null,
  };
}

export function checkpointOf({
  attempt,
  step,
  kind,
  path,
  state,
  savedAtMs,
  reason,
}: Omit<CheckpointRow, "runId" | "createdAtMs">): Checkpoint {
  return { attempt, step, kind, path, state: CHECKPOINT_STATES.find((known) => known === state) ?? "unchecked", savedAtMs, reason };
}

export function noteOf({ kind, attempt, step, timeMs, text }: NoteRow): RunNote {
  return { kind, attempt, step, timeMs, text };
}

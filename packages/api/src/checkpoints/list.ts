import type { Checkpoint } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { runInput } from "../runs/schemas.ts";

/** Checkpoints of a run, oldest step first. */
export const listCheckpoints = readVerb.input(runInput).query(async ({ ctx, input: { runId } }): Promise<readonly Checkpoint[]> => {
  const { records } = ctx.store;
  required(await records.runs.facts(runId), "run", runId);
  return records.runs.checkpoints(runId);
});

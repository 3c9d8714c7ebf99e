import type { CheckpointPage } from "@trainwatch/core";
import { z } from "zod";
import { MARKS_LIMIT } from "../marks-limit.ts";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { idInput } from "../page-input.ts";

const listCheckpointsInput = z.object({ runId: idInput, limit: z.number().int().min(1).max(MARKS_LIMIT).default(MARKS_LIMIT) });

/** Checkpoints of a run, oldest step first; those of the newest steps where there are more than `limit`, and how many there are. */
export const listCheckpoints = readVerb
  .input(listCheckpointsInput)
  .query(async ({ ctx, input: { runId, limit } }): Promise<CheckpointPage> => {
    const { records } = ctx.store;
    required(await records.runs.facts(runId), "run", runId);
    return records.runs.checkpoints(runId, { nearStep: null, limit });
  });

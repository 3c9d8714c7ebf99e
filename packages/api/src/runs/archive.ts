import { AppError } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { runInput } from "./schemas.ts";

/** Takes a run out of the lists; its data, incidents and decisions stay. */
export const archiveRun = operateVerb.input(runInput).mutation(({ ctx, input: { runId } }) =>
  recorded(ctx, "runs.archive", async (records) => {
    const run = required(await records.runs.facts(runId), "run", runId);
    if (!(await records.runs.archive(runId, ctx.now()))) throw new AppError("conflict", `Run ${run.fullName} is archived already.`);
    return { answer: { runId }, target: `run:${runId}`, details: { run: run.fullName } };
  }),
);

import { AppError } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { runInput } from "./schemas.ts";

export const unarchiveRun = operateVerb.input(runInput).mutation(({ ctx, input: { runId } }) =>
  recorded(ctx, "runs.unarchive", async (records) => {
    const run = required(await records.runs.facts(runId), "run", runId);
    if (!(await records.runs.unarchive(runId))) throw new AppError("conflict", `Run ${run.fullName} is not archived.`);
    return { answer: { runId }, target: `run:${runId}`, details: { run: run.fullName } };
  }),
);

import { AppError } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { adminVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { deleteRunInput } from "./schemas.ts";

/** Deletes a run with everything that hangs on it, for good. The audit keeps that it was there. */
export const deleteRun = adminVerb.input(deleteRunInput).mutation(({ ctx, input: { runId, confirmName } }) =>
  recorded(ctx, "runs.delete", async (records) => {
    const run = required(await records.runs.facts(runId), "run", runId);
    if (confirmName !== run.name) {
      throw new AppError("bad-request", `To delete run ${run.fullName}, give its name exactly: ${run.name}.`, {
        details: { expected: run.name },
      });
    }
    required((await records.runs.delete(runId)) ? run : null, "run", runId);
    return { answer: { runId }, target: `run:${runId}`, details: { run: run.fullName, points: run.pointCount } };
  }),
);

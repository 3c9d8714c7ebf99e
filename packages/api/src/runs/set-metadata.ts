import { AppError } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { setMetadataInput } from "./schemas.ts";

/** Facts that no log tells: how many GPUs, tokens per step. Costs and axes follow from them at once. */
export const setRunMetadata = operateVerb.input(setMetadataInput).mutation(({ ctx, input: { runId, ...given } }) =>
  recorded(ctx, "runs.setMetadata", async (records) => {
    const run = required(await records.runs.facts(runId), "run", runId);
    if (Object.keys(given).length === 0)
      throw new AppError("bad-request", "Name at least one of gpus, tokensPerStep, targetSteps, checkpointEvery, cluster.");
    const metadata = await records.runs.setMetadata(runId, given);
    return { answer: { runId, metadata }, target: `run:${runId}`, details: { run: run.fullName, ...given } };
  }),
);

import { type ScorecardPage, textSchema } from "@trainwatch/core";
import { z } from "zod";
import { idInput, pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";

const listScorecardsInput = z
  .object({
    runId: idInput.nullable().default(null),
    /** Part of the model, the run or the path. */
    query: textSchema.trim().max(256).default(""),
    ...pageInput,
  })
  .prefault({});

/** What was evaluated, newest first: checkpoints of runs, and models that stand for themselves. */
export const listScorecards = readVerb
  .input(listScorecardsInput)
  .query(({ ctx, input }): Promise<ScorecardPage> => ctx.store.records.scorecards.list(input));

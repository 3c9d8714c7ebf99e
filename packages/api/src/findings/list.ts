import type { FindingPage } from "@trainwatch/core";
import { z } from "zod";
import { MARKS_LIMIT } from "../marks-limit.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";

const listFindingsInput = z.object({ runId: idInput, limit: z.number().int().min(1).max(MARKS_LIMIT).default(MARKS_LIMIT) });

/** Findings of a run by detection, notes too; the newest ones where there are more than `limit`, and how many there are. */
export const listFindings = readVerb.input(listFindingsInput).query(async ({ ctx, input: { runId, limit } }): Promise<FindingPage> => {
  const { records } = ctx.store;
  required(await records.runs.facts(runId), "run", runId);
  return records.findings.ofRun(runId, limit);
});

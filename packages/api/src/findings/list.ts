import type { Finding } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";

const MAX_FINDINGS = 2_000;

const listFindingsInput = z.object({ runId: idInput, limit: z.number().int().min(1).max(MAX_FINDINGS).default(MAX_FINDINGS) });

/** Findings of a run by detection, notes too; the newest ones where there are more than `limit`. */
export const listFindings = readVerb
  .input(listFindingsInput)
  .query(async ({ ctx, input: { runId, limit } }): Promise<readonly Finding[]> => {
    const { records } = ctx.store;
    required(await records.runs.facts(runId), "run", runId);
    return records.findings.ofRun(runId, limit);
  });

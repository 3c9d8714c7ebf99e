import type { ScorecardResult, ScorecardSummary } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { resultView } from "./result-view.ts";

/** A scorecard with its results in force: of each task, metric and filter the newest. */
export const getScorecard = readVerb
  .input(z.object({ scorecardId: idInput }))
  .query(async ({ ctx, input: { scorecardId } }): Promise<ScorecardSummary & { readonly rows: readonly ScorecardResult[] }> => {
    const { scorecards } = ctx.store.records;
    const [summary] = await scorecards.summaries([scorecardId]);
    const rows = await scorecards.results([scorecardId]);
    return { ...required(summary, "scorecard", scorecardId), rows: rows.map(resultView) };
  });

import type { TrendView } from "@trainwatch/core";
import { type ColumnInput, trendViews } from "@trainwatch/decide";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { measureInputs } from "../releases/measure-inputs.ts";

const LEVEL = 0.95;
/** The peaks of a run are found the same way each time. */
const SEED = 20_261_130;
/** Checkpoints of a trend; a run with more that were evaluated shows the newest steps. */
const MOST_SCORECARDS = 500;
/** More samples than these are not read for a trend: errors are then those that the sources print. */
const MOST_SAMPLES = 200_000;

/** Every measure of a run over its evaluated checkpoints, each with its peak and how sure that is. */
export const trend = readVerb
  .input(z.object({ runId: idInput }))
  .query(async ({ ctx, input: { runId } }): Promise<readonly TrendView[]> => {
    const { records, evaluations } = ctx.store;
    required(await records.runs.facts(runId), "run", runId);
    const ids = await records.scorecards.ofRun(runId, MOST_SCORECARDS);
    const cards = await records.scorecards.summaries(ids);
    const samples = cards.reduce((sum, card) => sum + card.samples, 0);
    const stored =
      samples <= MOST_SAMPLES ? await evaluations.columns(ids) : { results: await records.scorecards.results(ids), samples: [], pairs: [] };
    const columns = cards.map(({ scorecardId, model, run, step, checkpointId }): ColumnInput => ({
      scorecardId,
      model,
      run,
      step,
      checkpointId,
      checkpointState: null,
      turningPointStep: null,
      warnings: [],
      measures: measureInputs(scorecardId, stored),
      pairs: [],
    }));
    return trendViews(columns, { level: LEVEL, seed: SEED });
  });

import { AppError, type ScorecardSummary } from "@trainwatch/core";
import { z } from "zod";
import { announceEvaluations } from "../live/announce.ts";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";

/** Says of which checkpoint a scorecard is, where run and step do not: results of a model by name only, or by its path. */
export const attachScorecard = operateVerb
  .input(z.object({ scorecardId: idInput, checkpointId: idInput }))
  .mutation(async ({ ctx, input: { scorecardId, checkpointId } }): Promise<ScorecardSummary> => {
    const attached = await recorded(ctx, "scorecards.attach", async (records) => {
      const [card] = await records.scorecards.known([scorecardId]);
      const before = required(card, "scorecard", scorecardId);
      const checkpoint = required(await records.checkpoints.get(checkpointId), "checkpoint", checkpointId);
      if (before.ownRunId !== null && before.ownRunId !== checkpoint.run.runId)
        throw new AppError(
          "bad-request",
          `The results of ${before.model} were imported for another run than that of checkpoint ${checkpointId}. Choose a checkpoint of their run.`,
          { details: { scorecardId, checkpointId, runId: before.ownRunId } },
        );
      if (before.step !== null && before.checkpointId !== checkpointId && before.step !== checkpoint.checkpoint.step)
        throw new AppError(
          "bad-request",
          `${before.model} was evaluated at step ${before.step}, and checkpoint ${checkpointId} is of step ${checkpoint.checkpoint.step}. Choose the checkpoint of that step.`,
          { details: { scorecardId, checkpointId } },
        );
      await records.scorecards.attach(scorecardId, checkpointId);
      const [summary] = await records.scorecards.summaries([scorecardId]);
      return {
        answer: required(summary, "scorecard", scorecardId),
        target: `scorecard:${scorecardId}`,
        details: { model: before.model, before: before.checkpointId, after: checkpointId },
      };
    });
    announceEvaluations(ctx, attached.run?.runId ?? null);
    return attached;
  });

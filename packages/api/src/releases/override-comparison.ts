import { AppError, type ReleaseSummary, rowNameOfKey } from "@trainwatch/core";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { assertCandidate, lockUnsigned } from "./open-release.ts";
import { releaseSummary } from "./release-summary.ts";
import { cellInput, reasonInput } from "./schemas.ts";

/** Lets a candidate's result be compared though it was measured under other settings, for a reason that stays with the release (V5). */
export const overrideComparison = operateVerb
  .input(cellInput.extend({ reason: reasonInput }))
  .mutation(({ ctx, input: { releaseId, rowKey, scorecardId, reason } }): Promise<ReleaseSummary> =>
    recorded(ctx, "releases.overrideComparison", async (records) => {
      const release = await lockUnsigned(records, releaseId, "another override");
      assertCandidate(release, scorecardId);
      if (rowNameOfKey(rowKey) === null)
        throw new AppError("bad-request", "That is no key of a row: a row is named task|metric|filter.", { details: { rowKey } });
      const isNew = await records.releases.overrideComparison(releaseId, {
        rowKey,
        scorecardId,
        reason,
        actor: ctx.actor.name,
        atMs: ctx.now(),
      });
      if (!isNew)
        throw new AppError("conflict", `This comparison is allowed already for scorecard ${scorecardId}.`, {
          details: { rowKey, scorecardId },
        });
      return { answer: releaseSummary(release), target: `release:${releaseId}`, details: { rowKey, scorecardId, reason } };
    }),
  );

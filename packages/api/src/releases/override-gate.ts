import { AppError, type ReleaseSummary } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { assertCandidate, lockUnsigned } from "./open-release.ts";
import { releaseSummary } from "./release-summary.ts";
import { reasonInput } from "./schemas.ts";

/** Lets a candidate pass a gate that it has failed, or that cannot be judged, for a reason that stays with the release. */
export const overrideGate = operateVerb
  .input(z.object({ releaseId: idInput, gateId: idInput, scorecardId: idInput, reason: reasonInput }))
  .mutation(({ ctx, input: { releaseId, gateId, scorecardId, reason } }): Promise<ReleaseSummary> =>
    recorded(ctx, "releases.overrideGate", async (records) => {
      const release = await lockUnsigned(records, releaseId, "another override");
      assertCandidate(release, scorecardId);
      const gates = await records.releases.gates(releaseId);
      const { gate } = required(
        gates.find((each) => each.gateId === gateId),
        "gate",
        gateId,
      );
      const isNew = await records.releases.overrideGate(releaseId, gateId, { scorecardId, reason, actor: ctx.actor.name, atMs: ctx.now() });
      if (!isNew)
        throw new AppError("conflict", `This gate is overridden already for scorecard ${scorecardId}.`, {
          details: { gateId, scorecardId },
        });
      return { answer: releaseSummary(release), target: `release:${releaseId}`, details: { gate, scorecardId, reason } };
    }),
  );

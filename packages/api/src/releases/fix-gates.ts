import { gateListSchema, type ReleaseSummary } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { lockUnsigned } from "./open-release.ts";
import { releaseSummary } from "./release-summary.ts";

/**
 * Says what a candidate must hold to. How many results there were at that moment is kept: gates that were fixed before the first result weigh more.
 * Until the first signature they may be fixed again, with all overrides of gates gone; the audit keeps each time.
 */
export const fixGates = operateVerb
  .input(z.object({ releaseId: idInput, gates: gateListSchema }))
  .mutation(({ ctx, input: { releaseId, gates } }): Promise<ReleaseSummary> =>
    recorded(ctx, "releases.fixGates", async (records) => {
      const release = await lockUnsigned(records, releaseId, "other gates");
      const before = await records.releases.gates(releaseId);
      const { results } = await records.scorecards.version(release.columns.map(({ scorecardId }) => scorecardId));
      await records.releases.setGates(releaseId, gates, results, ctx.now());
      const after = required(await records.releases.get(releaseId), "release", releaseId);
      return {
        answer: releaseSummary(after),
        target: `release:${releaseId}`,
        details: { before: before.map(({ gate }) => gate), after: gates, resultsBefore: results },
      };
    }),
  );

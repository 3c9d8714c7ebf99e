import { AppError, type Gate, gateListSchema, type ReleaseSummary, rowNameOfKey } from "@trainwatch/core";
import { fixedInUnits } from "@trainwatch/decide";
import type { Records, StoredRelease } from "@trainwatch/store";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded, type VerbContext } from "../recorded.ts";
import { loadComparison } from "./load-comparison.ts";
import { lockUnsigned } from "./open-release.ts";
import { releaseSummary } from "./release-summary.ts";

/**
 * Says what a candidate must hold to. How many results there were at that moment is kept: gates that were fixed before the first result weigh more.
 * Until the first signature they may be fixed again, with all overrides of gates gone; the audit keeps each time. Each number is kept with the unit that its
 * row stands in at that moment: results may come in another.
 */
export const fixGates = operateVerb
  .input(z.object({ releaseId: idInput, gates: gateListSchema }))
  .mutation(({ ctx, input: { releaseId, gates } }): Promise<ReleaseSummary> =>
    recorded(ctx, "releases.fixGates", async (records) => {
      const release = await lockUnsigned(records, releaseId, "other gates");
      assertRows(gates);
      const before = await records.releases.gates(releaseId);
      const { results } = await records.scorecards.version(release.columns.map(({ scorecardId }) => scorecardId));
      const fixed = await withUnits(ctx, records, release, gates);
      await records.releases.setGates(releaseId, fixed, results, ctx.now());
      const after = required(await records.releases.get(releaseId), "release", releaseId);
      return {
        answer: releaseSummary(after),
        target: `release:${releaseId}`,
        details: { before: before.map(({ gate }) => gate), after: fixed, resultsBefore: results },
      };
    }),
  );

/** A gate on a row that nobody has measured yet is one that was fixed before its results; one on a slip of the pen would never be judged. */
function assertRows(gates: readonly Gate[]): void {
  const slip = gates.find((gate) => "row" in gate && rowNameOfKey(gate.row) === null);
  if (slip === undefined || !("row" in slip)) return;
  throw new AppError("bad-request", `"${slip.row}" is no key of a row: a row is named task|metric|filter.`, {
    details: { rowKey: slip.row },
  });
}

async function withUnits(ctx: VerbContext, records: Records, release: StoredRelease, gates: readonly Gate[]): Promise<readonly Gate[]> {
  if (gates.every((gate) => !("row" in gate) || gate.unit !== undefined)) return gates;
  const overrides = await records.releases.overrides(release.releaseId);
  const { comparison } = await loadComparison(ctx, { release, overrides, records });
  return fixedInUnits(gates, comparison.rows);
}

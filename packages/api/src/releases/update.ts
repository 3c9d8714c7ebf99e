import { releaseSpecSchema, type ReleaseSpec, type ReleaseSummary } from "@trainwatch/core";
import type { Records, StoredRelease } from "@trainwatch/store";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkSpec } from "./check-spec.ts";
import { lockUnsigned } from "./open-release.ts";
import { releaseSummary } from "./release-summary.ts";

/** Puts another spec in its place, whole; gates stay, and overrides unless the baseline is another one. Not of a release that is signed. */
export const updateRelease = operateVerb
  .input(z.object({ releaseId: idInput, spec: releaseSpecSchema }))
  .mutation(({ ctx, input: { releaseId, spec } }): Promise<ReleaseSummary> =>
    recorded(ctx, "releases.update", async (records) => {
      const before = await lockUnsigned(records, releaseId, "another spec");
      const models = await checkSpec(records, spec, releaseId);
      await records.releases.setSpec(releaseId, spec, models, await resultsBeforeGates(records, before, spec));
      const after = required(await records.releases.get(releaseId), "release", releaseId);
      return { answer: releaseSummary(after), target: `release:${releaseId}`, details: { before: before.spec, after: spec } };
    }),
  );

/** Gates that were fixed for other columns were not fixed before the results that the new ones have already. */
async function resultsBeforeGates(
  records: Records,
  { resultsBeforeGates: known, spec: before }: StoredRelease,
  spec: ReleaseSpec,
): Promise<number | null> {
  if (known === null) return null;
  const former = [before.baselineId, ...before.candidateIds];
  const added = [spec.baselineId, ...spec.candidateIds].filter((id) => !former.includes(id));
  if (added.length === 0) return known;
  return known + (await records.scorecards.version(added)).results;
}

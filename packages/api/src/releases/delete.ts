import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { lockUnsigned } from "./open-release.ts";
import { releaseInput } from "./schemas.ts";

/** Not of a release that is signed: that one is a record. */
export const deleteRelease = operateVerb.input(releaseInput).mutation(({ ctx, input: { releaseId } }) =>
  recorded(ctx, "releases.delete", async (records) => {
    const { spec } = await lockUnsigned(records, releaseId, "deleting it");
    await records.releases.delete(releaseId);
    return { answer: { releaseId }, target: `release:${releaseId}`, details: { spec } };
  }),
);

import { releaseSpecSchema, type ReleaseSummary } from "@trainwatch/core";
import { z } from "zod";
import { required } from "../not-found.ts";
import { idInput } from "../page-input.ts";
import { operateVerb } from "../procedures.ts";
import { recorded } from "../recorded.ts";
import { checkSpec } from "./check-spec.ts";
import { lockUnsigned } from "./open-release.ts";
import { releaseSummary } from "./release-summary.ts";

/** Puts another spec in its place, whole; gates and overrides stay. Not of a release that is signed. */
export const updateRelease = operateVerb
  .input(z.object({ releaseId: idInput, spec: releaseSpecSchema }))
  .mutation(({ ctx, input: { releaseId, spec } }): Promise<ReleaseSummary> =>
    recorded(ctx, "releases.update", async (records) => {
      const before = await lockUnsigned(records, releaseId, "another spec");
      const models = await checkSpec(records, spec, releaseId);
      await records.releases.setSpec(releaseId, spec, models);
      const after = required(await records.releases.get(releaseId), "release", releaseId);
      return { answer: releaseSummary(after), target: `release:${releaseId}`, details: { before: before.spec, after: spec } };
    }),
  );

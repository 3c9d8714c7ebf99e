import type { ReleaseDetail } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { releaseDetail } from "./release-detail.ts";
import { releaseInput } from "./schemas.ts";

/** A release with its comparison, gates and signatures, by the results that hold now; of a signed one it says how many rows have changed since. */
export const getRelease = readVerb
  .input(releaseInput)
  .query(async ({ ctx, input: { releaseId } }): Promise<ReleaseDetail> =>
    releaseDetail(ctx, required(await ctx.store.records.releases.get(releaseId), "release", releaseId)),
  );

import type { FrozenRelease } from "@trainwatch/core";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { releaseInput } from "./schemas.ts";

/** What was signed, byte by byte; null before the first signature. */
export const frozenRelease = readVerb.input(releaseInput).query(async ({ ctx, input: { releaseId } }): Promise<FrozenRelease | null> => {
  const { releases } = ctx.store.records;
  required(await releases.get(releaseId), "release", releaseId);
  return releases.frozen(releaseId);
});

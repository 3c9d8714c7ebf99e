import type { FrozenDifference } from "@trainwatch/core";
import { frozenDifferences } from "@trainwatch/decide";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import { loadComparison } from "./load-comparison.ts";
import { releaseInput } from "./schemas.ts";

/** What has changed since the release was signed; nothing where it is not. */
export const frozenDiff = readVerb
  .input(releaseInput)
  .query(async ({ ctx, input: { releaseId } }): Promise<readonly FrozenDifference[]> => {
    const { records } = ctx.store;
    const release = required(await records.releases.get(releaseId), "release", releaseId);
    const frozen = await records.releases.frozen(releaseId);
    if (frozen === null) return [];
    const overrides = await records.releases.overrides(releaseId);
    const { comparison } = await loadComparison(ctx, { release, overrides, records });
    return frozenDifferences(frozen.body, comparison);
  });

import type { ReleasePage } from "@trainwatch/core";
import { z } from "zod";
import { pageInput } from "../page-input.ts";
import { readVerb } from "../procedures.ts";
import { releaseSummary } from "./release-summary.ts";

/** Releases, newest first. */
export const listReleases = readVerb.input(z.object(pageInput).prefault({})).query(async ({ ctx, input }): Promise<ReleasePage> => {
  const { items, ...page } = await ctx.store.records.releases.list(input);
  return { items: items.map(releaseSummary), ...page };
});

import type { StoredChannel } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { maskedChannel } from "./masked.ts";

/** All channels, oldest first, their addresses masked and without their secrets; there are never more than 100. */
export const listChannels = readVerb.query(async ({ ctx }): Promise<readonly StoredChannel[]> =>
  (await ctx.store.records.channels.list()).map(maskedChannel),
);

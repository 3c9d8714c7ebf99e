import type { SystemStatus } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** The foot of every page: is it live, how old is the newest sample, what is blind. */
export const getStatus = readVerb.query(async ({ ctx }): Promise<SystemStatus> => {
  const nowMs = ctx.now();
  const [counts, fleet] = await Promise.all([ctx.store.records.status.read(nowMs), ctx.fleetViews.summary()]);
  return { nowMs, ...ctx.server, ...counts, fleet };
});

import type { SystemStatus } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";

/** The foot of every page: is it live, how old is the newest sample, what is blind. */
export const getStatus = readVerb.query(async ({ ctx }): Promise<SystemStatus> => {
  const nowMs = ctx.now();
  const [counts, fleet, newestReadingAtMs] = await Promise.all([
    ctx.store.records.status.read(nowMs),
    ctx.fleetViews.summary(),
    ctx.fleetViews.newestAtMs(),
  ]);
  const newest = [counts.newestRunSampleAtMs, newestReadingAtMs].filter((atMs) => atMs !== null);
  return { nowMs, ...ctx.server, ...counts, newestSampleAtMs: newest.length === 0 ? null : Math.max(...newest), fleet };
});

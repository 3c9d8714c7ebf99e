import type { IncidentPage } from "@trainwatch/core";
import { readVerb } from "../procedures.ts";
import { incidentSignals } from "../series/signals.ts";
import { listIncidentsInput } from "./schemas.ts";
import { incidentSummary } from "./summary.ts";

/** The inbox: unacknowledged first, worst first, then by GPUs at stake. */
export const listIncidents = readVerb.input(listIncidentsInput).query(async ({ ctx, input }): Promise<IncidentPage> => {
  const { items, total, next } = await ctx.store.records.incidents.list({ ...input, archivedRuns: true });
  const signals = await incidentSignals(ctx, items);
  return { items: items.map((item, index) => incidentSummary(item, signals[index] ?? { values: [] })), total, next };
});

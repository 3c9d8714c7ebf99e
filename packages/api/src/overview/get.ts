import type { Overview } from "@trainwatch/core";
import { incidentSummary } from "../incidents/summary.ts";
import { readVerb } from "../procedures.ts";
import { incidentSignals, runSignals } from "../series/signals.ts";

/** One screen: what needs somebody now, and what runs. */
const INCIDENTS = 20;
const RUNS = 20;
const RECENT = 30;

/** What needs me now: open incidents, running runs, what happened of late. */
export const getOverview = readVerb.query(async ({ ctx }): Promise<Overview> => {
  const { incidents, runs, status } = ctx.store.records;
  const [open, openTotals, active, recent, gpusWatched, newestVerifiedCheckpoint] = await Promise.all([
    incidents.list({
      states: ["open", "acknowledged", "snoozed"],
      severities: [],
      runId: null,
      archivedRuns: false,
      limit: INCIDENTS,
      cursor: null,
    }),
    incidents.openTotals(),
    runs.list({ search: "", states: ["running", "silent", "stalled"], archived: false, limit: RUNS, cursor: null }),
    status.recent(RECENT),
    status.gpusWatched(),
    status.newestVerifiedCheckpoint(),
  ]);
  const [incidentLines, runLines] = await Promise.all([incidentSignals(ctx, open.items), runSignals(ctx, active.items)]);
  return {
    incidents: open.items.map((item, index) => incidentSummary(item, incidentLines[index] ?? { values: [] })),
    openTotals,
    runs: active.items.map((run, index) => ({ ...run, signal: runLines[index] ?? { values: [] } })),
    recent,
    gpusWatched,
    newestVerifiedCheckpoint,
  };
});

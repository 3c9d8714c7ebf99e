import type { IncidentSummary, Overview } from "@trainwatch/core";
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
  const [open, active, recent, gpusWatched, newestVerifiedCheckpoint] = await Promise.all([
    incidents.list({ states: ["open", "acknowledged", "snoozed"], severities: [], runId: null, limit: INCIDENTS, cursor: null }),
    runs.list({ search: "", states: ["running", "silent", "stalled"], archived: false, limit: RUNS, cursor: null }),
    status.recent(RECENT),
    status.gpusWatched(),
    status.newestVerifiedCheckpoint(),
  ]);
  const [incidentLines, runLines] = await Promise.all([incidentSignals(ctx, open.items), runSignals(ctx, active.items)]);
  const shown = open.items.map((item, index) => incidentSummary(item, incidentLines[index] ?? { values: [] }));
  return {
    incidents: shown,
    runs: active.items.map((run, index) => ({ ...run, signal: runLines[index] ?? { values: [] } })),
    recent,
    gpuHoursPerHour: burning(shown),
    gpusWatched,
    newestVerifiedCheckpoint,
  };
});

/** GPUs of runs with a fault that goes on; a run with two of them burns its GPUs once. Null where no such run has said how many it uses. */
function burning(incidents: readonly IncidentSummary[]): number | null {
  const byRun = new Map<number, number>();
  for (const { runId, gpuHoursPerHour } of incidents) {
    if (gpuHoursPerHour !== null) byRun.set(runId, Math.max(byRun.get(runId) ?? 0, gpuHoursPerHour));
  }
  return byRun.size === 0 ? null : [...byRun.values()].reduce((sum, rate) => sum + rate, 0);
}

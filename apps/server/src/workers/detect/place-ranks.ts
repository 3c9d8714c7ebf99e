import { placementsAt, type FleetViews } from "@trainwatch/api";
import type { RunWatch } from "./run-watch.ts";

/** Tells a watch where the ranks of the run's newest attempt are at a time, in the time of its samples; false where nothing has changed. */
export async function placeRanks(
  views: FleetViews,
  runId: number,
  watch: RunWatch,
  attempt: string | null,
  atMs: number,
): Promise<boolean> {
  if (attempt === null) return false;
  const assignments = await views.assignments();
  if (!assignments.some((each) => each.runId === runId && each.attempt === attempt)) return false;
  return watch.place(attempt, placementsAt(await views.layout(atMs), assignments, { runId, attempt }, atMs));
}

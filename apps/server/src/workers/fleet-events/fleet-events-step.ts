import type { Lease, Store } from "@trainwatch/store";
import { readGauges } from "./read-gauges.ts";

/** Readings come some seconds after their time, and an agent sends every ten: what is younger is looked at next time. */
const SETTLE_MS = 15_000;
/** Where we begin, and how far back we go after a long rest: older changes are known by what the gauge says now. */
const LOOK_BACK_MS = 20 * 60_000;

export interface StepOutcome {
  readonly hasMore: boolean;
  /** Events of entities whose node nobody knows. */
  readonly homeless: number;
}

/**
 * One step: looks at what gauges have shown since the last one and stores events, where each gauge stands and how far we have looked in one
 * transaction. A crash leaves a step undone or done.
 */
export async function fleetEventsStep(store: Pick<Store, "fleet" | "records">, lease: Lease, nowMs: number): Promise<StepOutcome> {
  const { fleet } = store.records;
  const cursor = await fleet.gaugeCursor();
  const sinceMs = Math.max(cursor ?? 0, nowMs - SETTLE_MS - LOOK_BACK_MS);
  const round = await readGauges(store.fleet.reader, await fleet.lastEvents(), sinceMs, nowMs - SETTLE_MS);
  if (round.untilMs === sinceMs) return { hasMore: false, homeless: 0 };
  return store.records.transaction(async (records) => {
    // Another process has taken over: what it has seen is not seen twice.
    if (!(await records.leases.holds(lease))) return { hasMore: false, homeless: 0 };
    const { homeless } = await records.fleet.moveGauges(round.gauges, round.events);
    await records.fleet.setGaugeCursor(round.untilMs, nowMs);
    return { hasMore: round.hasMore, homeless };
  });
}

import type { PackFault, Store } from "@trainwatch/store";

/** The states of runs wait for us: after so long they have their turn again. */
const ROUND_MS = 2_000;

/** Packs the fleet's readings and forgets old ones, piece by piece; `onFault` hears of what was passed over. @returns whether there is more to do */
export async function maintainFleet(
  store: Store,
  now: () => number,
  signal: AbortSignal,
  onFault: (fault: PackFault) => void,
): Promise<boolean> {
  const { fleetRawDays, fleetCellDays } = await store.records.settings.get();
  const endMs = now() + ROUND_MS;
  for (;;) {
    const hasMore = await store.fleet.maintain(now(), { rawDays: fleetRawDays, cellDays: fleetCellDays }, onFault);
    if (!hasMore || signal.aborted || now() >= endMs) return hasMore;
  }
}

import type { Finding } from "@trainwatch/core";
import { FLEET_TICK_MS, fleetWatchOf, type FleetDetectorEntry, type FleetWatchContext } from "@trainwatch/detect";
import type { Store } from "@trainwatch/store";
import type { FleetViews } from "../fleet/fleet-views-contract.ts";
import { createTickReader, NO_EVENTS_TOLD, pastEvents } from "../fleet-ticks/index.ts";
import type { Budget } from "./budget.ts";

export interface FleetReplayRequest {
  readonly store: Pick<Store, "records" | "fleet">;
  readonly views: FleetViews;
  readonly entry: FleetDetectorEntry;
  readonly parameters: NonNullable<FleetWatchContext["parameters"]>;
  readonly fromMs: number;
  readonly toMs: number;
  readonly budget: Budget;
}

export interface FleetReplay {
  readonly findings: readonly Finding[];
  readonly ticks: number;
  readonly samples: number;
  /** Of kernel lines and the like: they come as they ended, since how they grew is not stored. */
  readonly bursts: number;
  /** Epoch ms of the last tick that was judged. */
  readonly untilMs: number;
  readonly cut: string | null;
}

/** Shows one detector what the fleet has stored, tick by tick. */
export async function replayFleet({ store, views, entry, parameters, fromMs, toMs, budget }: FleetReplayRequest): Promise<FleetReplay> {
  const watch = fleetWatchOf([entry], { parameters });
  const reader = createTickReader(store, views, entry.fields);
  const found = new Map<string, Finding>();
  const firstMs = Math.ceil(fromMs / FLEET_TICK_MS) * FLEET_TICK_MS;
  let told = NO_EVENTS_TOLD;
  let [ticks, samples, bursts] = [0, 0, 0];
  for (let timeMs = firstMs; timeMs <= toMs; timeMs += FLEET_TICK_MS) {
    const cut = budget.spent(samples, found.size);
    if (cut !== null) return { findings: [...found.values()], ticks, samples, bursts, untilMs: timeMs - FLEET_TICK_MS, cut };
    const fresh = await pastEvents(store.records.fleet, told, timeMs);
    told = fresh.memory;
    // What had ended before the window began is not told in its first tick.
    const events = fresh.events.filter(({ lastTimeMs }) => lastTimeMs >= fromMs);
    const tick = await reader.read(timeMs, events);
    for (const finding of watch.tick(tick)) found.set(finding.id, finding);
    ticks++;
    bursts += events.length;
    samples += tick.columns.reduce((sum, { has }) => sum + has.length, 0);
  }
  return { findings: [...found.values()], ticks, samples, bursts, untilMs: toMs, cut: null };
}

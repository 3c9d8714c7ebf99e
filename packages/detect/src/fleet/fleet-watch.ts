import type { FleetDetectorEntry, FleetWatch } from "./contract.ts";
import { FLEET_DETECTORS } from "./registry.ts";

export interface FleetWatchContext {
  /** Parameters that differ from the entries' defaults: by detector, then by name. */
  readonly parameters?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface FleetWatchState {
  readonly detectors: Readonly<Record<string, unknown>>;
}

/**
 * All fleet detectors over the ticks of one fleet.
 * @param state what an earlier watch's `state()` gave: going on from it equals never having stopped, but for what counters did in between.
 */
export function createFleetWatch(context: FleetWatchContext, state?: unknown): FleetWatch {
  return fleetWatchOf(FLEET_DETECTORS, context, state);
}

/** The same over chosen detectors. */
export function fleetWatchOf(entries: readonly FleetDetectorEntry[], context: FleetWatchContext, state?: unknown): FleetWatch {
  const stored = isFleetWatchState(state) ? state.detectors : {};
  const running = entries.map((entry) => {
    const parameters = context.parameters?.[entry.id];
    return { id: entry.id, instance: entry.create(parameters === undefined ? {} : { parameters }, stored[entry.id]) };
  });
  return {
    tick: (tick) => running.flatMap(({ instance }) => instance.tick(tick)),
    state: () => ({ detectors: Object.fromEntries(running.map(({ id, instance }) => [id, instance.state()])) }) satisfies FleetWatchState,
    coverage: () => running.map(({ id, instance }) => ({ detector: id, ...instance.coverage() })),
  };
}

function isFleetWatchState(state: unknown): state is FleetWatchState {
  return (
    typeof state === "object" && state !== null && "detectors" in state && typeof state.detectors === "object" && state.detectors !== null
  );
}

// What a tick of the fleet detectors costs: CPU time of one thread over a synthetic fleet with the fields that they read, links and ports included.
import { FLEET_DETECTORS, fleetWatchOf } from "@trainwatch/detect";
import { median } from "@trainwatch/stats";
import { FleetWorld, GPUS } from "./fleet-world.ts";

export interface FleetCost {
  readonly gpus: number;
  /** Readings a tick. */
  readonly readings: number;
  readonly medianMsATick: number;
  readonly longestMsATick: number;
  readonly stateBytes: number;
  readonly lines: readonly { readonly detector: string; readonly "ms a tick": number; readonly "state, bytes": number }[];
}

/** Ticks that are left out: what is derived once for a set of series is made in them. */
const WARM = 3;

export function fleetCost({ nodes = 2_048, ticks = 12 }: { readonly nodes?: number; readonly ticks?: number } = {}): FleetCost {
  const world = new FleetWorld({ nodes, seed: 31, startS: 1_500 });
  const watches = FLEET_DETECTORS.map((entry) => ({ id: entry.id, watch: fleetWatchOf([entry], {}), ms: new Float64Array(ticks) }));
  let readings = 0;
  for (let at = 0; at < ticks + WARM; at++) {
    const tick = world.tick(at + 2);
    readings = tick.columns.reduce((sum, { values }) => sum + values.length, 0);
    for (const { watch, ms } of watches) {
      const began = process.cpuUsage();
      watch.tick(tick);
      const used = process.cpuUsage(began);
      if (at >= WARM) ms[at - WARM] = (used.user + used.system) / 1000;
    }
  }
  const totals = Array.from({ length: ticks }, (_, at) => watches.reduce((sum, { ms }) => sum + (ms[at] ?? 0), 0));
  const lines = watches.map(({ id, watch, ms }) => ({
    detector: id,
    "ms a tick": Number(median(ms).toFixed(1)),
    "state, bytes": JSON.stringify(watch.state()).length,
  }));
  return {
    gpus: nodes * GPUS,
    readings,
    medianMsATick: Math.round(median(totals)),
    longestMsATick: Math.round(Math.max(...totals)),
    stateBytes: lines.reduce((sum, line) => sum + line["state, bytes"], 0),
    lines,
  };
}

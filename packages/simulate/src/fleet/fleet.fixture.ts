import type { FleetInput } from "./fleet-plan.ts";
import { simulateFleet } from "./simulate-fleet.ts";
import type { ExporterName, SimulatedFleet, SimulatedNode } from "./simulate-fleet.ts";

export const START = Date.UTC(2026, 10, 29, 20);
export const MINUTE = 60_000;

export function fleet(over: Partial<FleetInput> = {}): SimulatedFleet {
  return simulateFleet({ nodes: 4, seed: 11, startMs: START, ...over });
}

export function nodeOf({ nodes }: SimulatedFleet, index: number): SimulatedNode {
  const node = nodes[index];
  if (node === undefined) throw new Error(`the fleet has no node ${index}`);
  return node;
}

/** Values by name and labels; empty where the exporter does not answer. */
export function readings(node: SimulatedNode, exporter: ExporterName, timeMs: number): ReadonlyMap<string, number> {
  const scrape = node.scrape(exporter, timeMs);
  if (scrape === null) return new Map();
  return new Map(scrape.series.map(([name, labels], index) => [`${name} ${JSON.stringify(labels)}`, scrape.values[index] ?? Number.NaN]));
}

/** A field of the GPU with an index. */
export function gpuReading(node: SimulatedNode, field: string, gpu: number, timeMs: number): number {
  const found = [...readings(node, "dcgm", timeMs)].find(([key]) => key.startsWith(`${field} {"gpu":"${gpu}"`));
  return found?.[1] ?? Number.NaN;
}

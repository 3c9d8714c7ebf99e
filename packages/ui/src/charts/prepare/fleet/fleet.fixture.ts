import {
  READING_STATES,
  type FleetEventView,
  type FleetFrame,
  type FleetLayout,
  type FleetMetricView,
  type FleetNodeView,
} from "@trainwatch/core";

export interface FleetSketch {
  readonly nodes: number;
  readonly gpusPerNode?: number;
  /** Rack of each node; left out there is none. */
  readonly rackOf?: (node: number) => string | null;
  readonly stageOf?: (gpu: number) => number | null;
  readonly cordoned?: readonly number[];
}

/** A fleet of `nodes` × 8 GPUs with ranks in order, all of one run. */
export function layoutOf({ nodes, gpusPerNode = 8, rackOf = () => null, stageOf = () => null, cordoned = [] }: FleetSketch): FleetLayout {
  const gpus = nodes * gpusPerNode;
  const column = <T>(of: (gpu: number) => T): readonly T[] => Array.from({ length: gpus }, (_, gpu) => of(gpu));
  return {
    atMs: 1_000_000,
    digest: "sketch",
    nodes: Array.from({ length: nodes }, (_, node): FleetNodeView => ({
      id: `machine-${node}`,
      host: `n${node + 1}`,
      rack: rackOf(node),
      cordoned: cordoned.includes(node) ? { sinceMs: 0, why: "being mended" } : null,
      lastSampleAtMs: 1_000_000,
    })),
    models: ["H100"],
    runs: [{ id: 1, name: "llm" }],
    gpu: {
      id: column((gpu) => `GPU-${String(gpu).padStart(8, "0")}-aaaa`),
      node: column((gpu) => Math.floor(gpu / gpusPerNode)),
      index: column((gpu) => gpu % gpusPerNode),
      model: column(() => 0),
      run: column(() => 0),
      rank: column((gpu) => gpu),
      stage: column(stageOf),
    },
  };
}

export const TEMPERATURE: FleetMetricView = {
  name: "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS",
  title: "Memory temperature",
  unit: "°C",
  entity: "gpu",
  kind: "gauge",
  digits: 0,
  domain: [60, 95],
  series: 8,
};

/** A reading a GPU; a word instead of a number is its state. */
export function frameOf(layout: FleetLayout, valueOf: (gpu: number) => number | (typeof READING_STATES)[number]): FleetFrame {
  const told = layout.gpu.id.map((_, gpu) => valueOf(gpu));
  return {
    metric: TEMPERATURE.name,
    isRate: false,
    atMs: layout.atMs,
    layoutDigest: layout.digest,
    values: told.map((value) => (typeof value === "number" ? value : null)),
    states: told.map((value) => READING_STATES.indexOf(typeof value === "number" ? "ok" : value)),
  };
}

export function eventOf(given: Partial<FleetEventView>): FleetEventView {
  return {
    id: 1,
    timeMs: 990_000,
    lastTimeMs: 990_000,
    kind: "xid",
    code: 94,
    severity: "critical",
    nodeId: "machine-0",
    host: "n1",
    entity: null,
    text: "Xid 94",
    count: 1,
    ...given,
  };
}

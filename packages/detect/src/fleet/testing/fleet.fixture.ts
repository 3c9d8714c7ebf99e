import type { Finding, FleetEventView } from "@trainwatch/core";
import { FLEET_TICK_MS } from "../contract.ts";
import type { FleetColumn, FleetDetectorEntry, FleetTick, FleetTopology, FleetWatch } from "../contract.ts";
import { fleetWatchOf } from "../fleet-watch.ts";
import type { FleetWatchContext } from "../fleet-watch.ts";

export const T0 = 1_700_000_000_000;

export interface FleetPlan {
  readonly nodes: number;
  readonly gpus?: number;
  /** Run of a node's GPUs; null: none. Default: all are of one. */
  readonly runOf?: (node: number) => number | null;
  readonly cordoned?: (node: number) => boolean;
}

export const gpuName = (node: number, gpu: number): string => `GPU-${String(node).padStart(4, "0")}-${gpu}`;
export const nodeName = (node: number): string => `m-${node}`;

export function topologyOf({ nodes, gpus = 8, runOf = () => 1, cordoned = () => false }: FleetPlan): FleetTopology {
  const numbers = Array.from({ length: nodes }, (_, node) => node);
  return {
    nodes: numbers.map((node) => ({ id: nodeName(node), host: `c${node}`, cordoned: cordoned(node) })),
    gpus: numbers.flatMap((node) =>
      Array.from({ length: gpus }, (_, gpu) => {
        const runId = runOf(node);
        return {
          id: gpuName(node, gpu),
          nodeId: nodeName(node),
          host: `c${node}`,
          index: gpu,
          model: "H100",
          rack: `r${Math.floor(node / 4)}`,
          runId,
          run: runId === null ? null : `lab/run${runId}`,
          rank: runId === null ? null : node * gpus + gpu,
          stage: null,
        };
      }),
    ),
  };
}

/** A reading by row and tick: a value, or what there is instead of one. */
export type Cell = number | "none" | "ended" | "sentinel";
export interface FieldPlan {
  readonly field: string;
  readonly entities: readonly string[];
  readonly cell: (row: number, tick: number) => Cell;
  /** Reading time before the tick; 0 by default. */
  readonly ageMs?: (row: number, tick: number) => number;
}

export function columnFor({ field, entities, cell, ageMs = () => 0 }: FieldPlan, tick: number): FleetColumn {
  const values = new Float64Array(entities.length).fill(Number.NaN);
  const timesMs = new Float64Array(entities.length);
  const has = new Uint8Array(entities.length);
  for (let row = 0; row < entities.length; row++) {
    const found = cell(row, tick);
    timesMs[row] = T0 + tick * FLEET_TICK_MS - ageMs(row, tick);
    has[row] = found === "none" ? 0 : found === "ended" ? 2 : found === "sentinel" ? 3 : 1;
    values[row] = typeof found === "number" ? found : found === "sentinel" ? 4294967295 : Number.NaN;
  }
  return { field, entities, labels: LABELS(entities.length), values, timesMs, has };
}

const NO_LABELS = new Map<number, readonly string[]>();
function LABELS(length: number): readonly string[] {
  const known = NO_LABELS.get(length) ?? Array.from({ length }, () => "");
  NO_LABELS.set(length, known);
  return known;
}

export interface Scene {
  readonly topology: FleetTopology;
  readonly fields?: readonly FieldPlan[];
  readonly events?: (tick: number) => readonly FleetEventView[];
  /** Newest reading of a node, before the tick; null: never any. */
  readonly silentMs?: (node: number, tick: number) => number | null;
}

export function tickOf({ topology, fields = [], events = () => [], silentMs = () => 0 }: Scene, tick: number): FleetTick {
  const timeMs = T0 + tick * FLEET_TICK_MS;
  return {
    timeMs,
    topology,
    columns: fields.map((field) => columnFor(field, tick)),
    events: events(tick),
    lastSampleAtMs: new Map(
      topology.nodes.map(({ id }, node) => {
        const silent = silentMs(node, tick);
        return [id, silent === null ? null : timeMs - silent];
      }),
    ),
  };
}

export interface Said {
  /** As they stand at the end, each in its newest form. */
  readonly findings: readonly Finding[];
  readonly all: readonly Finding[];
  readonly watch: FleetWatch;
}

/** Runs detectors over the ticks of a scene, with the state stored and read back after the ticks in `cuts`. */
export function play(
  entries: readonly FleetDetectorEntry[],
  scene: Scene,
  ticks: number,
  { context = {}, cuts = [] }: { readonly context?: FleetWatchContext; readonly cuts?: readonly number[] } = {},
): Said {
  let watch = fleetWatchOf(entries, context);
  const all: Finding[] = [];
  for (let tick = 0; tick < ticks; tick++) {
    all.push(...watch.tick(tickOf(scene, tick)));
    if (cuts.includes(tick)) {
      const stored: unknown = JSON.parse(JSON.stringify(watch.state()));
      watch = fleetWatchOf(entries, context, stored);
    }
  }
  return { findings: [...new Map(all.map((finding) => [finding.id, finding])).values()], all, watch };
}

/** Seconds from a tick to the detection. */
export function delayS(finding: Finding | undefined, tick: number): number {
  return ((finding?.detectedTimeMs ?? Number.NaN) - T0) / 1000 - (tick * FLEET_TICK_MS) / 1000;
}

export function gpusOf(topology: FleetTopology): readonly string[] {
  return topology.gpus.map(({ id }) => id);
}

export function linksOf(topology: FleetTopology, links = 18): readonly string[] {
  return topology.gpus.flatMap(({ id }) => Array.from({ length: links }, (_, link) => `${id}/link/${link}`));
}

let nextEvent = 1;
export function xidEvent(
  parts: Partial<FleetEventView> & { readonly code: number; readonly node: number; readonly gpu?: number },
): FleetEventView {
  const { node, gpu = 0, code, ...rest } = parts;
  const timeMs = rest.timeMs ?? T0;
  return {
    id: nextEvent++,
    timeMs,
    lastTimeMs: timeMs,
    kind: "xid",
    code,
    severity: "info",
    nodeId: nodeName(node),
    host: `c${node}`,
    entity: { kind: "gpu", id: gpuName(node, gpu) },
    text: `Xid (PCI:0000:3b:00): ${code}, pid=1`,
    count: 1,
    ...rest,
  };
}

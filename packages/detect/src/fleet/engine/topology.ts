import { gpuOf } from "@trainwatch/core";
import type { FindingPlace } from "@trainwatch/core";
import type { FleetGpuPlace, FleetTopology } from "../contract.ts";

/** Who is where, to be asked by id. */
export interface TopologyIndex {
  readonly topology: FleetTopology;
  /** Index into `topology.gpus`. */
  readonly gpuAt: ReadonlyMap<string, number>;
  /** Indices into `topology.gpus`, by node. */
  readonly gpusOf: ReadonlyMap<string, readonly number[]>;
  readonly nodeAt: ReadonlyMap<string, number>;
  /** Nodes that are out of service. */
  readonly cordoned: ReadonlySet<string>;
}

const INDICES = new WeakMap<FleetTopology, TopologyIndex>();

/** Made once for each topology object. */
export function indexOf(topology: FleetTopology): TopologyIndex {
  const known = INDICES.get(topology);
  if (known !== undefined) return known;
  const gpusOf = new Map<string, number[]>();
  for (const [index, gpu] of topology.gpus.entries()) {
    const own = gpusOf.get(gpu.nodeId);
    if (own === undefined) gpusOf.set(gpu.nodeId, [index]);
    else own.push(index);
  }
  const made = {
    topology,
    gpuAt: new Map(topology.gpus.map((gpu, index) => [gpu.id, index])),
    gpusOf,
    nodeAt: new Map(topology.nodes.map((node, index) => [node.id, index])),
    cordoned: new Set(topology.nodes.filter(({ cordoned }) => cordoned).map(({ id }) => id)),
  };
  INDICES.set(topology, made);
  return made;
}

/** The GPU of an entity id: of the GPU itself, of a MIG instance or a link of it. */
export function gpuPlace(index: TopologyIndex, id: string): FleetGpuPlace | null {
  const at = index.gpuAt.get(id) ?? index.gpuAt.get(gpuOf(id));
  return at === undefined ? null : (index.topology.gpus[at] ?? null);
}

/** The node that an id of a port or switch begins with, or the node itself. */
export function nodeOf(id: string): string {
  const end = id.search(/\/(?:port|switch)\//);
  return end < 0 ? id : id.slice(0, end);
}

/** Where an entity is, as a finding tells it. */
export function placeOf(index: TopologyIndex, kind: "gpu" | "link" | "node" | "port" | "switch", id: string): FindingPlace {
  if (kind === "gpu" || kind === "link") {
    const gpu = gpuPlace(index, id);
    if (gpu === null) return { rank: null, gpuId: gpuOf(id), nodeId: null, host: null };
    return { rank: gpu.rank, gpuId: gpu.id, nodeId: gpu.nodeId, host: gpu.host };
  }
  const nodeId = nodeOf(id);
  const at = index.nodeAt.get(nodeId);
  return { rank: null, gpuId: null, nodeId, host: at === undefined ? null : (index.topology.nodes[at]?.host ?? null) };
}

/** `GPU 3 of c11-n07 (GPU-9b1f…)`: how a sentence calls an entity. */
export function nameOf(place: FindingPlace | null, kind: string, id: string, slot: number | null = null): string {
  const host = place?.host ?? null;
  const on = host === null ? "" : ` on ${host}`;
  if (kind === "gpu") return `GPU ${slot === null ? shortId(id) : `${slot} (${shortId(id)})`}${on}`;
  if (kind === "link") return `NVLink ${id.split("/link/")[1] ?? id} of GPU ${shortId(id)}${on}`;
  if (kind === "port") return `Port ${id.split("/port/")[1] ?? id}${on}`;
  if (kind === "switch") return `NVSwitch ${id.split("/switch/")[1] ?? id}${on}`;
  return kind === "node" ? `Node ${host ?? id}` : id;
}

function shortId(id: string): string {
  const gpu = gpuOf(id);
  return gpu.startsWith("GPU-") ? gpu.slice(0, 12) : gpu;
}

import { gpuOf, type FindingPlace, type Subject } from "@trainwatch/core";
import { nodeId, type LayoutCore } from "./layout-core.ts";
import { nodeOfEntity } from "./node-view.ts";

/** Where something of the fleet is, and whose work it does. */
export interface Whereabouts {
  readonly place: FindingPlace;
  /** Ids of the runs whose ranks are on it. */
  readonly runIds: readonly number[];
}

const NOWHERE: FindingPlace = { rank: null, gpuId: null, nodeId: null, host: null };

/** Where a GPU, a node, a link, a port or a switch is as at the time of a layout. A run, by its full name or its id, is nowhere in particular, and there where a rank of it works. */
export function whereaboutsOf(layout: LayoutCore, { kind, id }: Subject): Whereabouts {
  if (kind === "gpu" || kind === "link") return ofGpu(layout, id);
  if (kind === "node" || kind === "port" || kind === "switch") return ofNode(layout, kind, id);
  return { place: NOWHERE, runIds: kind === "run" ? runsCalled(layout, id) : [] };
}

function runsCalled({ runs }: LayoutCore, called: string): readonly number[] {
  // A full name holds a slash, so that no run is called as another's id.
  return runs.filter(({ id, name }) => name === called || String(id) === called).map(({ id }) => id);
}

function ofGpu(layout: LayoutCore, id: string): Whereabouts {
  const rows = layout.rowsOf(id.replace(/\/link\/.*$/, ""));
  const [first] = rows;
  if (first === undefined) return { place: { ...NOWHERE, gpuId: id.startsWith("GPU-") ? gpuOf(id) : null }, runIds: [] };
  const node = layout.nodes[layout.gpu.node[first] ?? -1];
  const place = {
    // A GPU in several instances runs a rank on each: which one is meant only an instance's own id says.
    rank: rows.length === 1 ? (layout.gpu.rank[first] ?? null) : null,
    gpuId: rows.length === 1 ? (layout.gpu.id[first] ?? null) : gpuOf(id),
    nodeId: node === undefined ? null : nodeId(node),
    host: node?.host ?? null,
  };
  return { place, runIds: runsOf(layout, rows) };
}

function ofNode(layout: LayoutCore, kind: string, id: string): Whereabouts {
  const index = nodeOfEntity(layout, kind, id);
  const node = layout.nodes[index];
  if (node === undefined) return { place: NOWHERE, runIds: [] };
  const known = nodeId(node);
  return { place: { ...NOWHERE, nodeId: known, host: node.host }, runIds: runsOf(layout, layout.rowsOfNode(known)) };
}

function runsOf(layout: LayoutCore, rows: readonly number[]): readonly number[] {
  const ids = rows.flatMap((row) => layout.runs[layout.gpu.run[row] ?? -1]?.id ?? []);
  return [...new Set(ids)].sort((a, b) => a - b);
}

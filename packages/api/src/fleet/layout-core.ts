import { createHash } from "node:crypto";
import { type FleetLayout, gpuOf, hostName } from "@trainwatch/core";
import type { PlacedGpu, PlacedNode } from "@trainwatch/store";
import type { GpuRank } from "./ranks-at.ts";

/** A layout without what moves with every sample, and what other verbs look up in it. */
export interface LayoutCore {
  readonly digest: string;
  readonly nodes: readonly PlacedNode[];
  readonly gpus: readonly PlacedGpu[];
  readonly models: FleetLayout["models"];
  readonly runs: FleetLayout["runs"];
  readonly gpu: FleetLayout["gpu"];
  /** What a GPU or MIG instance runs, by its id. */
  rankOf(entityId: string): GpuRank | null;
  /** Rows of `gpu` that show an entity: a GPU, and its MIG instances for what is told of the whole GPU only. */
  rowsOf(entityId: string): readonly number[];
  /** Rows of `gpu` that sit on a node, by any id that the node's own series go by. */
  rowsOfNode(nodeEntityId: string): readonly number[];
  /** Index into `nodes`, by any id that the node's own series go by; -1 where there is none. */
  nodeIndex(nodeEntityId: string): number;
}

/** Id of a node in views. */
export function nodeId({ machineId, host }: Pick<PlacedNode, "machineId" | "host">): string {
  return machineId ?? `name:${host}`;
}

/** Every id that series of a node itself go by: its machine id, and its names from before anybody told that. */
export function nodeEntityIds({ machineId, aliases }: PlacedNode): readonly string[] {
  return [...new Set([...(machineId === null ? [] : [machineId]), ...aliases.map((alias) => `name:${alias}`)])];
}

export function buildLayout(nodes: readonly PlacedNode[], gpus: readonly PlacedGpu[], ranks: ReadonlyMap<string, GpuRank>): LayoutCore {
  const nodePlace = new Map(nodes.map(({ id }, place) => [id, place]));
  const shown = gpus
    .filter((gpu) => nodePlace.has(gpu.nodeId))
    .sort(
      (a, b) =>
        (nodePlace.get(a.nodeId) ?? 0) - (nodePlace.get(b.nodeId) ?? 0) ||
        (a.index ?? Infinity) - (b.index ?? Infinity) ||
        (a.id < b.id ? -1 : 1),
    );
  const models = [...new Set(shown.flatMap(({ model }) => model ?? []))].sort();
  const modelPlace = new Map(models.map((model, place) => [model, place]));
  const rankOf = (id: string): GpuRank | null => ranks.get(id) ?? ranks.get(gpuOf(id)) ?? null;
  const runs = [...new Map([...ranks.values()].map(({ runId, run }) => [runId, { id: runId, name: run }])).values()].sort(
    (a, b) => a.id - b.id,
  );
  const runPlace = new Map(runs.map(({ id }, place) => [id, place]));
  const gpu = {
    id: shown.map(({ id }) => id),
    node: shown.map(({ nodeId: id }) => nodePlace.get(id) ?? -1),
    index: shown.map(({ index }) => index),
    model: shown.map(({ model }) => (model === null ? -1 : (modelPlace.get(model) ?? -1))),
    run: shown.map(({ id }) => runPlace.get(rankOf(id)?.runId ?? -1) ?? -1),
    rank: shown.map(({ id }) => rankOf(id)?.rank ?? null),
    stage: shown.map(({ id }) => rankOf(id)?.stage ?? null),
  };
  const byId = new Map(gpu.id.map((id, row) => [id, [row]]));
  const byGpu = new Map<string, number[]>();
  const byNode = new Map<number, number[]>();
  for (let row = 0; row < gpu.id.length; row++) {
    grow(byGpu, gpuOf(gpu.id[row] ?? ""), row);
    grow(byNode, gpu.node[row] ?? -1, row);
  }
  const places = new Map(nodes.flatMap((node, place) => nodeEntityIds(node).map((id) => [id, place] as const)));
  // A link that was sent, or a finding that was made, before hosts were lowered may have capitals.
  const placeOf = (id: string): number => places.get(id) ?? (id.startsWith("name:") ? places.get(hostName(id)) : undefined) ?? -1;
  const content = JSON.stringify([nodes.map(({ id, host, rack }) => [id, host, rack]), models, runs, gpu]);
  return {
    digest: createHash("sha256").update(content).digest("base64url").slice(0, 22),
    nodes,
    gpus: shown,
    models,
    runs,
    gpu,
    rankOf,
    rowsOf: (id) => byId.get(id) ?? byGpu.get(gpuOf(id)) ?? [],
    rowsOfNode: (id) => byNode.get(placeOf(id)) ?? [],
    nodeIndex: placeOf,
  };
}

function grow<Key>(groups: Map<Key, number[]>, key: Key, row: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [row]);
  else group.push(row);
}

import type { FleetTopology } from "@trainwatch/detect";
import { nodeId, type LayoutCore } from "../fleet/layout-core.ts";

/** Who is where, for detectors: the same object as long as nothing in it has changed. */
export function createTopologies(): (layout: LayoutCore) => FleetTopology {
  let held: { readonly key: string; readonly topology: FleetTopology } | null = null;
  return (layout) => {
    const key = `${layout.digest} ${layout.nodes.flatMap(({ id, cordonedAtMs }) => (cordonedAtMs === null ? [] : [id])).join()}`;
    if (held?.key !== key) held = { key, topology: topologyOf(layout) };
    return held.topology;
  };
}

function topologyOf({ gpu, nodes, models, runs }: LayoutCore): FleetTopology {
  return {
    nodes: nodes.map((node) => ({ id: nodeId(node), host: node.host, cordoned: node.cordonedAtMs !== null })),
    gpus: gpu.id.flatMap((id, row) => {
      const node = nodes[gpu.node[row] ?? -1];
      if (node === undefined) return [];
      const run = runs[gpu.run[row] ?? -1];
      return [
        {
          id,
          nodeId: nodeId(node),
          host: node.host,
          index: gpu.index[row] ?? null,
          model: models[gpu.model[row] ?? -1] ?? null,
          rack: node.rack,
          runId: run?.id ?? null,
          run: run?.name ?? null,
          rank: gpu.rank[row] ?? null,
          stage: gpu.stage[row] ?? null,
        },
      ];
    }),
  };
}

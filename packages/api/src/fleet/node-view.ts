import type { FleetNodeView } from "@trainwatch/core";
import { createPace, type PlacedNode, type SeriesPlace, type Store } from "@trainwatch/store";
import type { FleetViews } from "./fleet-views-contract.ts";
import { nodeId, type LayoutCore } from "./layout-core.ts";

/** By any of these a node shows that it sends: the first that it has is looked at. All are in the smallest set of fields of their exporter. */
export const PULSES = [
  "DCGM_FI_DEV_GPU_TEMP_CELSIUS",
  "DCGM_FI_DEV_GPU_UTIL_RATIO",
  "nvidia_smi_temperature_gpu",
  "nvidia_smi_utilization_gpu_ratio",
  "node_load1",
  "node_memory_MemAvailable_bytes",
  "node_boot_time_seconds",
  "node_infiniband_state_id",
  "trainwatch_agent_source_up",
] as const;
/** One GPU that has fallen off the bus does not make its node silent. */
const SERIES_A_NODE = 2;
/** A pulse older than this is not looked for; the node's last word is then what its records say. */
const PULSE_AGE_MS = 40 * 60_000;
/** To ask after each series whether others wait would cost more than the series. */
const SERIES_A_REST = 512;

/** Epoch ms of the newest reading of each node, in the layout's order; null where a node has sent none of late. */
export async function lastSamples(
  store: Pick<Store, "fleet" | "records">,
  views: FleetViews,
  layout: LayoutCore,
  atMs: number,
): Promise<readonly (number | null)[]> {
  const metrics = await views.metrics();
  const pace = createPace();
  const of: { node: number; place: SeriesPlace }[] = [];
  const taken = layout.nodes.map(() => 0);
  for (const metric of PULSES) {
    if (!metrics.has(metric)) continue;
    if (taken.every((count) => count >= SERIES_A_NODE)) break;
    for (const [index, { entity, place }] of (await views.series(metric)).entries()) {
      if (index % SERIES_A_REST === 0) await pace.rest();
      const node = entity === null ? -1 : nodeOfEntity(layout, entity.kind, entity.id);
      if (node < 0 || (taken[node] ?? 0) >= SERIES_A_NODE) continue;
      taken[node] = (taken[node] ?? 0) + 1;
      of.push({ node, place });
    }
  }
  const { timesMs, has } = await store.fleet.reader.at(
    of.map(({ place }) => place),
    atMs,
    PULSE_AGE_MS,
  );
  const newest: (number | null)[] = layout.nodes.map(() => null);
  of.forEach(({ node }, index) => {
    const timeMs = timesMs[index] ?? Number.NaN;
    if (has[index] === 1 && !Number.isNaN(timeMs)) newest[node] = Math.max(newest[node] ?? 0, timeMs);
  });
  return newest;
}

/** Index of the node that an entity sits on; -1 where the layout does not know it. */
export function nodeOfEntity(layout: LayoutCore, kind: string, id: string): number {
  if (kind === "gpu" || kind === "link") return layout.gpu.node[layout.rowsOf(id)[0] ?? -1] ?? -1;
  return layout.nodeIndex(kind === "node" ? id : id.replace(/\/(port|switch)\/.*$/, ""));
}

export function nodeView(node: PlacedNode, lastSampleAtMs: number | null): FleetNodeView {
  const { host, rack, cordonedAtMs, cordonReason } = node;
  const cordoned = cordonedAtMs === null ? null : { sinceMs: cordonedAtMs, why: cordonReason ?? "" };
  return { id: nodeId(node), host, rack, cordoned, lastSampleAtMs };
}

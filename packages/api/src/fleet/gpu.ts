import { fieldOf, gpuOf, readAssignment, type FleetGpuView, type GpuReading } from "@trainwatch/core";
import type { FleetSeriesInfo } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import type { LayoutCore } from "./layout-core.ts";
import { lastSamples, nodeView } from "./node-view.ts";
import { peerZ } from "./peer-z.ts";
import { judge, LOOK_BACK_MS } from "./readings.ts";
import { atInput, entityIdInput } from "./schemas.ts";

const MAX_READINGS = 256;
const MAX_HISTORY = 500;
const EVENTS = 50;
const INCIDENTS = 50;
/** Peers that a value is compared with: a sample of the fleet, evenly spread over it. */
const MAX_PEERS = 256;
/** NVLinks of a GPU that a field name can number. */
const LINKS = 18;

/** A GPU's own page: what it reads, where it sat, what happened to it, and whom it sits beside. */
export const getGpu = readVerb
  .input(atInput.extend({ gpuId: entityIdInput }))
  .query(async ({ ctx, input: { gpuId, ...input } }): Promise<FleetGpuView> => {
    const atMs = input.atMs ?? ctx.now();
    const layout = await ctx.fleetViews.layout(atMs);
    const row = layout.gpu.id.indexOf(gpuId);
    const gpu = required(layout.gpus[row], "GPU", gpuId);
    const place = layout.gpu.node[row] ?? -1;
    const node = required(layout.nodes[place], "node", gpu.nodeId);
    const { fleet } = ctx.store.records;
    const ids = [gpuId, gpuOf(gpuId), ...Array.from({ length: LINKS }, (_, link) => `${gpuOf(gpuId)}/link/${link}`)];
    const events = await fleet.events({
      nodeId: null,
      entityIds: [...new Set(ids)],
      kinds: [],
      fromMs: null,
      toMs: null,
      limit: EVENTS,
      cursor: null,
    });
    const newest = await lastSamples(ctx.store, ctx.fleetViews, layout, atMs);
    return {
      id: gpuId,
      node: nodeView(node, newest[place] ?? null),
      index: gpu.index,
      model: gpu.model,
      readings: await readingsOf(ctx, layout, gpuId, atMs),
      history: await historyOf(ctx, layout, gpuId),
      events: events.items,
      eventsTotal: events.total,
      neighbours: layout.gpus.flatMap(({ id, nodeId, index }) => (nodeId === gpu.nodeId && id !== gpuId ? [{ id, index }] : [])),
      incidents: await fleet.incidentsAbout(gpuOf(gpuId), INCIDENTS),
    };
  });

type Views = Pick<ApiContext, "store" | "fleetViews">;

async function readingsOf({ store, fleetViews }: Views, layout: LayoutCore, gpuId: string, atMs: number): Promise<readonly GpuReading[]> {
  const { reader } = store.fleet;
  const series = await reader.series({ entity: { kind: "gpu", id: gpuId }, limit: MAX_READINGS });
  const read = await reader.at(
    series.map(({ place }) => place),
    atMs,
    LOOK_BACK_MS,
  );
  const own = series.map(({ metric }, index) => judge(fieldOf(metric), read, index, atMs));
  const peers = peersOf(layout, gpuId);
  const asked = await Promise.all(series.map(({ metric, labels }) => comparable(metric, labels, peers, (name) => fleetViews.series(name))));
  const readPeers = await reader.at(
    asked.flat().map(({ place }) => place),
    atMs,
    LOOK_BACK_MS,
  );
  let at = 0;
  return series.map(({ metric }, index): GpuReading => {
    const field = fieldOf(metric);
    const values = (asked[index] ?? []).flatMap(() => judge(field, readPeers, at++, atMs).value ?? []);
    const { value, state, atMs: readAtMs } = own[index] ?? { value: null, state: "none", atMs: null };
    const raw = read.values[index] ?? Number.NaN;
    const shown = state === "non-finite" ? (Number.isNaN(raw) ? "NaN" : raw > 0 ? "Infinity" : "-Infinity") : value;
    return {
      metric,
      value: shown,
      state,
      atMs: readAtMs,
      peerZ: value === null ? null : peerZ(value, values, field?.digits),
      peers: values.length,
    };
  });
}

/** Other GPUs of the same model, evenly spread over the fleet. */
function peersOf(layout: LayoutCore, gpuId: string): ReadonlySet<string> {
  const model = layout.gpu.model[layout.gpu.id.indexOf(gpuId)] ?? -1;
  const all = layout.gpu.id.filter((id, row) => id !== gpuId && layout.gpu.model[row] === model && model >= 0);
  const step = Math.max(1, all.length / MAX_PEERS);
  return new Set(Array.from({ length: Math.min(all.length, MAX_PEERS) }, (_, index) => all[Math.floor(index * step)] ?? ""));
}

/** The peers' series of a metric. Only a level is compared: what has counted up since a reboot says nothing beside another GPU's. */
async function comparable(
  metric: string,
  labels: FleetSeriesInfo["labels"],
  peers: ReadonlySet<string>,
  ask: (metric: string) => Promise<readonly FleetSeriesInfo[]>,
): Promise<readonly FleetSeriesInfo[]> {
  if (fieldOf(metric)?.kind !== "gauge") return [];
  const key = JSON.stringify(labels);
  return (await ask(metric)).filter((each) => each.entity !== null && peers.has(each.entity.id) && JSON.stringify(each.labels) === key);
}

async function historyOf({ store, fleetViews }: Views, layout: LayoutCore, gpuId: string): Promise<FleetGpuView["history"]> {
  const rows = await store.records.fleet.history("gpu", [gpuId], MAX_HISTORY);
  const hosts = new Map(layout.nodes.map(({ id, host }) => [`node:${id}`, host]));
  const ranks = (await fleetViews.assignments()).flatMap(({ facts, run, attempt, startedAtMs, endedAtMs }) => {
    const read = readAssignment(facts);
    if (read === null || read.gpuUuid !== gpuId) return [];
    const fromMs = read.fromMs ?? startedAtMs ?? 0;
    return [{ name: "rank", value: `${run} ${attempt}: rank ${read.rank}`, fromMs, toMs: read.toMs ?? endedAtMs }];
  });
  const told = rows.map(({ name, value, ...range }) => ({ name, value: name === "node" ? (hosts.get(value) ?? value) : value, ...range }));
  return [...told, ...ranks].sort((a, b) => b.fromMs - a.fromMs);
}

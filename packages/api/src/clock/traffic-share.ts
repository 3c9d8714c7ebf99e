import { fieldOf, FLEET_FIELDS, gpuOf, isReading, type FleetField } from "@trainwatch/core";
import type { FleetReader, FleetReadings, SeriesPlace } from "@trainwatch/store";
import type { FleetViews } from "../fleet/fleet-views-contract.ts";
import type { LayoutCore } from "../fleet/layout-core.ts";

const NVLINK = FLEET_FIELDS.filter(({ signal, entity }) => signal === "nvlink-bandwidth" && entity === "gpu");
/** What tells of the bytes that a GPU or its node moves, the nearest to the GPU first; of the first that is seen the others are not asked. */
const SOURCES: readonly (readonly FleetField[])[] = [
  NVLINK.filter(({ kind }) => kind === "counter"),
  NVLINK.filter(({ kind }) => kind === "gauge"),
  ["node_infiniband_port_data_transmitted_bytes_total", "node_infiniband_port_data_received_bytes_total"].flatMap(
    (name) => fieldOf(name) ?? [],
  ),
];

/** Two looks at a counter so far apart: scrapes come every ten seconds, some every minute. */
const LOOK_MS = 30_000;
const AGE_MS = 90_000;
/** Of a wide run so many GPUs stand for all. */
const MOST_GPUS = 512;
/** Bytes per second below which nothing is being moved but the fabric's own heartbeats. */
const IDLE_B_PER_S = 1_000_000;

/** Share of a run's GPUs (by their NVLink, else by the network ports of their nodes) that move bytes now, 0 to 1; null where nobody measures it. */
export async function trafficShare(reader: FleetReader, views: FleetViews, runId: number, nowMs: number): Promise<number | null> {
  const layout = await views.layout(nowMs);
  const gpus = gpusOfRun(layout, runId);
  if (gpus.size === 0) return null;
  for (const fields of SOURCES) {
    const share = await shareOf(reader, await watchedPlaces(views, layout, fields, gpus), nowMs);
    if (share !== null) return share;
  }
  return null;
}

/** GPUs of a run, each with the index of its node. */
function gpusOfRun(layout: LayoutCore, runId: number): ReadonlyMap<string, number> {
  const run = layout.runs.findIndex(({ id }) => id === runId);
  const gpus = new Map<string, number>();
  if (run < 0) return gpus;
  for (const [row, id] of layout.gpu.id.entries()) {
    if (layout.gpu.run[row] === run) gpus.set(gpuOf(id), layout.gpu.node[row] ?? -1);
    if (gpus.size >= MOST_GPUS) break;
  }
  return gpus;
}

interface Watched {
  readonly field: FleetField;
  /** The GPU, or the index of the node. */
  readonly who: string;
  readonly place: SeriesPlace;
}

async function watchedPlaces(
  views: FleetViews,
  layout: LayoutCore,
  fields: readonly FleetField[],
  gpus: ReadonlyMap<string, number>,
): Promise<readonly Watched[]> {
  const metrics = await views.metrics();
  const nodes = new Set(gpus.values());
  const found: Watched[] = [];
  for (const field of fields) {
    if (!metrics.has(field.name)) continue;
    for (const { entity, place } of await views.series(field.name)) {
      if (entity === null) continue;
      if (field.entity === "gpu") {
        if (gpus.has(gpuOf(entity.id))) found.push({ field, who: gpuOf(entity.id), place });
        continue;
      }
      const node = layout.nodeIndex(entity.id.replace(/\/port\/.*$/, ""));
      if (nodes.has(node)) found.push({ field, who: String(node), place });
    }
  }
  return found;
}

async function shareOf(reader: FleetReader, watched: readonly Watched[], nowMs: number): Promise<number | null> {
  if (watched.length === 0) return null;
  const places = watched.map(({ place }) => place);
  const now = await reader.at(places, nowMs, AGE_MS);
  const before = watched.some(({ field }) => field.kind === "counter") ? await reader.at(places, nowMs - LOOK_MS, AGE_MS) : null;
  const moves = new Map<string, boolean>();
  watched.forEach(({ field, who }, index) => {
    const perS = before === null ? perSecond(field, valueAt(field, now, index)) : rateAt(field, before, now, index);
    if (perS !== null) moves.set(who, moves.get(who) === true || perS > IDLE_B_PER_S);
  });
  return moves.size === 0 ? null : [...moves.values()].filter(Boolean).length / moves.size;
}

function valueAt(field: FleetField, { has, values }: FleetReadings, index: number): number | null {
  const value = values[index] ?? Number.NaN;
  return has[index] === 1 && Number.isFinite(value) && isReading(field, value) ? value : null;
}

function perSecond({ unit }: FleetField, value: number | null): number | null {
  return value === null ? null : unit === "MB/s" ? value * 1e6 : value;
}

function rateAt(field: FleetField, before: FleetReadings, now: FleetReadings, index: number): number | null {
  const [from, to] = [valueAt(field, before, index), valueAt(field, now, index)];
  const ms = (now.timesMs[index] ?? Number.NaN) - (before.timesMs[index] ?? Number.NaN);
  // A counter that fell was reset, which says nothing of now.
  return from === null || to === null || !(ms > 0) || to < from ? null : (to - from) / (ms / 1_000);
}

import { FLEET_SIGNALS, fieldOf, nvlinkVerdict, type FleetLinksView, type FleetSignalName } from "@trainwatch/core";
import type { FleetSeriesInfo } from "@trainwatch/store";
import type { ApiContext } from "../context.ts";
import { required } from "../not-found.ts";
import { readVerb } from "../procedures.ts";
import type { LayoutCore } from "./layout-core.ts";
import { lastSamples, nodeView } from "./node-view.ts";
import { type Judged, judge, LOOK_BACK_MS, rateBetween } from "./readings.ts";
import { atInput, nodeInput } from "./schemas.ts";

/** Errors are rare: their rate is taken over longer than that of a byte counter. */
const ERROR_WINDOW_MS = 5 * 60_000;
/** Series of a GPU and its links. */
const MAX_SERIES = 2_048;
const BYTES_A_MEGABYTE = 1e6;

const SENT = ["DCGM_FI_PROF_NVLINK_TX_BYTES_PER_LINK", "DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_PER_LINK", "DCGM_FI_DEV_NVLINK_TX_BYTES_TOTAL"];
const RECEIVED = [
  "DCGM_FI_PROF_NVLINK_RX_BYTES_PER_LINK",
  "DCGM_FI_DEV_NVLINK_RX_THROUGHPUT_PER_LINK",
  "DCGM_FI_DEV_NVLINK_RX_BYTES_TOTAL",
];
const STATE = "DCGM_FI_DEV_NVLINK_GET_STATE";

/** NVLinks of a node. Nothing is said of a link whose fields no source sends: it is neither up nor without errors. */
export const getLinks = readVerb.input(atInput.extend({ nodeId: nodeInput })).query(async ({ ctx, input }): Promise<FleetLinksView> => {
  const atMs = input.atMs ?? ctx.now();
  const layout = await ctx.fleetViews.layout(atMs);
  const place = layout.nodeIndex(input.nodeId);
  const node = required(layout.nodes[place], "node", input.nodeId);
  const readings = await readLinks(ctx, layout, place, atMs);
  const coverage = await ctx.fleetViews.coverage(layout, atMs);
  const stateOf = (name: FleetSignalName) => coverage[FLEET_SIGNALS.findIndex((signal) => signal.name === name)]?.[place] ?? "missing";
  const errors = readings.flatMap(({ series, judged }) =>
    fieldOf(series.metric)?.signal === "nvlink-errors" && isCounted(series) ? (judged.value ?? []) : [],
  );
  const errorsPerS = errors.length === 0 ? null : errors.reduce((sum, value) => sum + value, 0);
  const links = linkRows(readings);
  const linksDown = links.filter(({ state }) => state === "down").length;
  const newest = await lastSamples(ctx.store, ctx.fleetViews, layout, atMs);
  return {
    node: nodeView(node, newest[place] ?? null),
    atMs,
    verdict: nvlinkVerdict(stateOf("nvlink-errors"), stateOf("nvlink-bandwidth"), errorsPerS, linksDown),
    links,
  };
});

interface LinkReading {
  readonly series: FleetSeriesInfo;
  /** A counter's rate per second. */
  readonly judged: Judged;
}

async function readLinks(
  { store, fleetViews }: Pick<ApiContext, "store" | "fleetViews">,
  layout: LayoutCore,
  node: number,
  atMs: number,
): Promise<readonly LinkReading[]> {
  const { reader } = store.fleet;
  const metrics = [...(await fleetViews.metrics()).keys()].filter((metric) => {
    const signal = fieldOf(metric)?.signal;
    return signal === "nvlink-errors" || signal === "nvlink-bandwidth";
  });
  const all = (await Promise.all(metrics.map((metric) => fleetViews.series(metric)))).flat();
  const isHere = ({ entity }: FleetSeriesInfo): boolean =>
    entity !== null && layout.rowsOf(entity.id).some((row) => layout.gpu.node[row] === node);
  const series = all.filter(isHere).slice(0, MAX_SERIES);
  const places = series.map(({ place }) => place);
  const now = await reader.at(places, atMs, LOOK_BACK_MS);
  const before = await reader.at(places, Math.max(0, atMs - ERROR_WINDOW_MS), LOOK_BACK_MS);
  return series.map((each, index) => {
    const field = fieldOf(each.metric);
    return { series: each, judged: isCounted(each) ? rateBetween(field, before, now, index, atMs) : judge(field, now, index, atMs) };
  });
}

function isCounted({ metric }: FleetSeriesInfo): boolean {
  return fieldOf(metric)?.kind === "counter";
}

function linkRows(readings: readonly LinkReading[]): FleetLinksView["links"] {
  const byLink = new Map<string, LinkReading[]>();
  for (const reading of readings) {
    const { entity } = reading.series;
    if (entity?.kind !== "link") continue;
    const mine = byLink.get(entity.id);
    if (mine === undefined) byLink.set(entity.id, [reading]);
    else mine.push(reading);
  }
  const rows = [...byLink].map(([id, mine]) => {
    const [gpuId = id, port = ""] = id.split("/link/");
    const errors = mine.flatMap(({ series, judged }) =>
      fieldOf(series.metric)?.signal === "nvlink-errors" && isCounted(series) ? (judged.value ?? []) : [],
    );
    return {
      id,
      gpuId,
      port: Number(port),
      txPerS: bytesPerS(mine, SENT),
      rxPerS: bytesPerS(mine, RECEIVED),
      errorsPerS: errors.length === 0 ? null : errors.reduce((sum, value) => sum + value, 0),
      state: linkState(mine),
    };
  });
  return rows.sort((a, b) => (a.gpuId < b.gpuId ? -1 : a.gpuId > b.gpuId ? 1 : a.port - b.port));
}

/** By the first of the metrics that has a value now. */
function bytesPerS(readings: readonly LinkReading[], metrics: readonly string[]): number | null {
  for (const metric of metrics) {
    const value = readings.find(({ series }) => series.metric === metric)?.judged.value ?? null;
    if (value !== null) return fieldOf(metric)?.unit === "MB/s" ? value * BYTES_A_MEGABYTE : value;
  }
  return null;
}

/** NVML's link state: 0 inactive, 1 active, 2 asleep (NVML_NVLINK_STATE_*). */
function linkState(readings: readonly LinkReading[]): "up" | "down" | "unknown" {
  const value = readings.find(({ series }) => series.metric === STATE)?.judged.value ?? null;
  if (value === null) return "unknown";
  return value === 0 ? "down" : "up";
}

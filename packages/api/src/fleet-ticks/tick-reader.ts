import { isReading, type FleetEventView } from "@trainwatch/core";
import type { FleetColumn, FleetTick } from "@trainwatch/detect";
import type { FleetReadings, FleetSeriesInfo, SeriesPlace, Store } from "@trainwatch/store";
import type { FleetViews } from "../fleet/fleet-views-contract.ts";
import { nodeId, type LayoutCore } from "../fleet/layout-core.ts";
import { lastSamples, PULSES } from "../fleet/node-view.ts";
import { columnPlan, type ColumnPlan } from "./column-plan.ts";
import { createTopologies } from "./topology-of.ts";

/** The fleet as detectors see it at one time. */
export interface TickReader {
  read(atMs: number, events: readonly FleetEventView[]): Promise<FleetTick>;
}

/** As `FleetColumn` says: an older reading is none. */
const AGE_MS = 90_000;
/** `FleetColumn.has` of a sentinel or a value out of its field's bounds (E5). */
const INVALID = 3;

interface Plan {
  /** The series they are made of, field by field: the plan holds as long as these do. */
  readonly series: readonly (readonly FleetSeriesInfo[])[];
  readonly columns: readonly ColumnPlan[];
  /** Columns that are read only to see who still sends. */
  readonly pulses: readonly ColumnPlan[];
  readonly places: readonly SeriesPlace[];
}

/** Reads ticks of some fields; one reader a fleet and purpose, since it keeps what does not change from tick to tick. @param fields catalogue names */
export function createTickReader(store: Pick<Store, "fleet" | "records">, views: FleetViews, fields: readonly string[]): TickReader {
  const topologyOf = createTopologies();
  const pulseNames = PULSES.filter((name) => !fields.includes(name));
  const newest = new Map<string, number>();
  let plan: Plan | null = null;
  let isSeeded = false;

  const planNow = async (): Promise<Plan> => {
    const metrics = await views.metrics();
    const read = async (names: readonly string[]): Promise<readonly (readonly [string, readonly FleetSeriesInfo[]])[]> => {
      const found: (readonly [string, readonly FleetSeriesInfo[]])[] = [];
      for (const name of names) if (metrics.has(name)) found.push([name, await views.series(name)]);
      return found;
    };
    const [own, pulse] = [await read(fields), await read(pulseNames)];
    const series = [...own, ...pulse].map(([, each]) => each);
    const held = plan;
    if (held !== null && held.series.length === series.length && series.every((each, index) => each === held.series[index])) return held;
    const columns = own.flatMap(([name, each]) => columnPlan(name, each) ?? []);
    const pulses = pulse.flatMap(([name, each]) => columnPlan(name, each) ?? []);
    plan = { series, columns, pulses, places: [...columns, ...pulses].flatMap(({ places }) => places) };
    return plan;
  };

  const seed = async (layout: LayoutCore, atMs: number): Promise<void> => {
    if (isSeeded) return;
    isSeeded = true;
    const seen = await lastSamples(store, views, layout, atMs);
    layout.nodes.forEach((node, index) => note(newest, nodeId(node), seen[index] ?? null));
  };

  return {
    async read(atMs, events) {
      const layout = await views.layout(atMs);
      const { columns, pulses, places } = await planNow();
      await seed(layout, atMs);
      const readings = await store.fleet.reader.at(places, atMs, AGE_MS);
      let from = 0;
      const cut = (column: ColumnPlan): FleetReadings => {
        const part = slice(readings, from, column.places.length);
        from += column.places.length;
        noteNewest(newest, layout, column, part);
        return part;
      };
      const read = columns.map((column) => columnOf(column, cut(column)));
      for (const column of pulses) cut(column);
      const lastSampleAtMs = new Map(layout.nodes.map((node) => [nodeId(node), newest.get(nodeId(node)) ?? null]));
      return { timeMs: atMs, topology: topologyOf(layout), columns: read, events, lastSampleAtMs };
    },
  };
}

function slice({ values, timesMs, has }: FleetReadings, from: number, length: number): FleetReadings {
  return {
    values: values.subarray(from, from + length),
    timesMs: timesMs.subarray(from, from + length),
    has: has.subarray(from, from + length),
  };
}

function columnOf({ field, entities, labels }: ColumnPlan, { values, timesMs, has }: FleetReadings): FleetColumn {
  for (let index = 0; index < has.length; index++) {
    const value = values[index] ?? Number.NaN;
    if (has[index] === 1 && (!Number.isFinite(value) || !isReading(field, value))) has[index] = INVALID;
  }
  return { field: field.name, entities, labels, values, timesMs, has };
}

/** Whatever a series says, that it says something shows that its node sends. */
function noteNewest(newest: Map<string, number>, layout: LayoutCore, column: ColumnPlan, { timesMs, has }: FleetReadings): void {
  const nodes = column.nodesOf(layout);
  const latest = new Float64Array(layout.nodes.length).fill(Number.NaN);
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] ?? -1;
    // A stale marker is the word of whoever scraped in vain.
    if (node < 0 || has[index] === 0 || has[index] === 2) continue;
    const timeMs = timesMs[index] ?? Number.NaN;
    if (!(timeMs <= (latest[node] ?? Number.NaN))) latest[node] = timeMs;
  }
  layout.nodes.forEach((node, index) => note(newest, nodeId(node), latest[index] ?? Number.NaN));
}

function note(newest: Map<string, number>, node: string, timeMs: number | null): void {
  if (timeMs !== null && !Number.isNaN(timeMs) && timeMs > (newest.get(node) ?? Number.NEGATIVE_INFINITY)) newest.set(node, timeMs);
}

import {
  COVERAGE_STATES,
  fieldsOf,
  FLEET_SIGNALS,
  isReading,
  showsLoad,
  signalState,
  type CoverageState,
  type FleetField,
  type FleetSignal,
  type SignalReadings,
} from "@trainwatch/core";
import type { FleetSeriesInfo, Store } from "@trainwatch/store";
import type { FleetViews } from "./fleet-views.ts";
import type { LayoutCore } from "./layout-core.ts";
import { nodeOfEntity } from "./node-view.ts";
import { STALE_AFTER_MS } from "./readings.ts";

/** Of a signal's fields those that are looked at on a node, and series of each: a node has 8 GPUs, and a signal is seen or not on all of them. */
const FIELDS_A_NODE = 3;
const SERIES_A_FIELD = 8;
/** Looked at so far apart, the last at the time asked for: a constant 0 that was something else five minutes ago is no constant. */
const LOOKS_MS = [10 * 60_000, 5 * 60_000, 0] as const;
/** A source of events that has sent nothing for so long is silent; an agent sends at least every few minutes, if only that it is there. */
const LOG_SILENT_MS = 15 * 60_000;

/** How well each signal is seen on each node of a layout: states by signal, in the order of nodes. */
export type CoverageColumns = readonly (readonly CoverageState[])[];

interface Looked {
  readonly node: number;
  readonly signal: number;
  readonly field: FleetField;
  readonly series: FleetSeriesInfo;
}

export async function coverageOf(store: Pick<Store, "fleet" | "records">, views: FleetViews, layout: LayoutCore, atMs: number): Promise<CoverageColumns> {
  const looked = await choose(views, layout);
  const read = await store.fleet.reader.atEach(
    looked.map(({ series }) => series.place),
    LOOKS_MS.map((before) => Math.max(0, atMs - before)),
    STALE_AFTER_MS,
  );
  const tallies = FLEET_SIGNALS.map(() => layout.nodes.map(() => ({ series: 0, readings: 0, valid: 0, nonZero: 0 })));
  const busy = layout.nodes.map(() => ({ activity: null as boolean | null, power: null as boolean | null }));
  looked.forEach(({ node, signal, field }, index) => {
    const tally = tallies[signal]?.[node];
    const load = busy[node];
    if (tally === undefined || load === undefined) return;
    tally.series++;
    const now = read.at(-1);
    if (now?.has[index] !== 1) return;
    tally.readings++;
    const isValid = (value: number): boolean => Number.isFinite(value) && isReading(field, value);
    if (read.some(({ has, values }) => has[index] === 1 && isValid(values[index] ?? Number.NaN) && values[index] !== 0)) tally.nonZero++;
    const value = now.values[index] ?? Number.NaN;
    if (!isValid(value)) return;
    tally.valid++;
    const shows = showsLoad(field.unit, field.signal, value);
    if (shows !== null) load[field.signal === "power" ? "power" : "activity"] = shows || load[field.signal === "power" ? "power" : "activity"] === true;
  });
  const sources = await store.records.fleet.eventSources();
  return FLEET_SIGNALS.map((signal, place) =>
    layout.nodes.map(({ id }, node) => {
      if (signal.name === "kernel-log") return logState(sources.get(id), atMs);
      return stateOf(signal, tallies[place]?.[node], busy[node]);
    }),
  );
}

function stateOf(
  signal: FleetSignal,
  tally: SignalReadings | undefined,
  busy: { readonly activity: boolean | null; readonly power: boolean | null } | undefined,
): CoverageState {
  // Whether activity itself stands still at 0 only power can tell.
  const load = signal.name === "activity" ? (busy?.power ?? false) : (busy?.activity ?? busy?.power ?? null);
  return signalState(signal, tally ?? { series: 0, readings: 0, valid: 0, nonZero: 0 }, load);
}

function logState(lastMs: number | undefined, atMs: number): CoverageState {
  if (lastMs === undefined) return "missing";
  return atMs - lastMs > LOG_SILENT_MS ? "stale" : "seen";
}

async function choose(views: FleetViews, layout: LayoutCore): Promise<readonly Looked[]> {
  const metrics = await views.metrics();
  const looked: Looked[] = [];
  for (const [signal, { name }] of FLEET_SIGNALS.entries()) {
    const fieldsLooked = layout.nodes.map(() => 0);
    for (const field of fieldsOf(name)) {
      if (!metrics.has(field.name)) continue;
      const seriesLooked = layout.nodes.map(() => 0);
      for (const series of await views.series(field.name)) {
        const node = series.entity === null ? -1 : nodeOfEntity(layout, series.entity.kind, series.entity.id);
        if (node < 0 || (fieldsLooked[node] ?? 0) >= FIELDS_A_NODE || (seriesLooked[node] ?? 0) >= SERIES_A_FIELD) continue;
        seriesLooked[node] = (seriesLooked[node] ?? 0) + 1;
        looked.push({ node, signal, field, series });
      }
      seriesLooked.forEach((taken, node) => {
        if (taken > 0) fieldsLooked[node] = (fieldsLooked[node] ?? 0) + 1;
      });
    }
  }
  return looked;
}

export function coverageIndex(state: CoverageState): number {
  return COVERAGE_STATES.indexOf(state);
}

import {
  COVERAGE_STATES,
  type CoverageState,
  fieldsOf,
  FLEET_SIGNALS,
  isReading,
  showsLoad,
  signalState,
  STALE_AFTER_MS,
  type FleetField,
  type FleetSignal,
  type SignalReadings,
} from "@trainwatch/core";
import { createPace, type FleetReader, type FleetReadings, type Pace, type SeriesPlace } from "@trainwatch/store";
import type { CoverageColumns } from "./coverage-columns.ts";
import type { FleetViews } from "./fleet-views-contract.ts";
import type { LayoutCore } from "./layout-core.ts";
import { nodeOfEntity } from "./node-view.ts";

/** Of a signal's fields those that are looked at on a node, and series of each: a node has 8 GPUs, and a signal is seen or not on all of them. */
const FIELDS_A_NODE = 3;
const SERIES_A_FIELD = 8;
/** Looked at so far apart, the last at the time asked for: a constant 0 that was something else five minutes ago is no constant. */
const LOOKS_MS = [10 * 60_000, 5 * 60_000, 0] as const;
/** A source of events that has sent nothing for so long is silent. One that has nothing to tell sends a push without events now and then. */
const LOG_SILENT_MS = 15 * 60_000;
/** A fleet of 2,048 nodes has some hundred thousand places to look at: read and judged so many at a time, others have their turn between. */
const PLACES_AT_ONCE = 8_192;
/** To ask after each series whether others wait would cost more than the series. */
const SERIES_A_REST = 512;

interface Looked {
  readonly node: number;
  readonly signal: number;
  readonly field: FleetField;
  readonly place: SeriesPlace;
}

/** What coverage is made of. */
interface CoverageSources {
  readonly reader: Pick<FleetReader, "at">;
  /** See FleetRecords. */
  readonly eventSources: () => Promise<ReadonlyMap<number, number>>;
}

export async function coverageOf(
  { reader, eventSources }: CoverageSources,
  views: Pick<FleetViews, "metrics" | "series">,
  layout: LayoutCore,
  atMs: number,
): Promise<CoverageColumns> {
  const pace = createPace();
  const tallies: Tallies = FLEET_SIGNALS.map(() => layout.nodes.map(() => ({ series: 0, readings: 0, valid: 0, nonZero: 0 })));
  const busy = layout.nodes.map((): Load => ({ activity: null, power: null }));
  const looked = await choose(views, layout, pace);
  for (let from = 0; from < looked.length; from += PLACES_AT_ONCE) {
    const some = looked.slice(from, from + PLACES_AT_ONCE);
    const read = await readLooks(reader, some, atMs);
    await pace.rest();
    tally(some, read, tallies, busy);
  }
  const sources = await eventSources();
  return FLEET_SIGNALS.map((signal, place) =>
    layout.nodes.map(({ id }, node) => {
      if (signal.name === "kernel-log") return logState(tallies[place]?.[node], sources.get(id), atMs);
      return stateOf(signal, tallies[place]?.[node], busy[node]);
    }),
  );
}

/** By signal and node. */
type Tallies = readonly (readonly { series: number; readings: number; valid: number; nonZero: number }[])[];

/** One look after the other: each reads one row a section, where all of them together would read every row between. */
async function readLooks(reader: CoverageSources["reader"], looked: readonly Looked[], atMs: number): Promise<readonly FleetReadings[]> {
  const places = looked.map(({ place }) => place);
  const read: FleetReadings[] = [];
  for (const before of LOOKS_MS) read.push(await reader.at(places, Math.max(0, atMs - before), STALE_AFTER_MS));
  return read;
}

function tally(looked: readonly Looked[], read: readonly FleetReadings[], tallies: Tallies, busy: readonly Load[]): void {
  const now = read.at(-1);
  looked.forEach(({ node, signal, field }, index) => {
    const counts = tallies[signal]?.[node];
    const load = busy[node];
    if (counts === undefined || load === undefined) return;
    counts.series++;
    if (now?.has[index] !== 1) return;
    counts.readings++;
    const isValid = (value: number): boolean => Number.isFinite(value) && isReading(field, value);
    // Whether a log is read now an earlier look does not say.
    const looks = FLEET_SIGNALS[signal]?.name === "kernel-log" ? [now] : read;
    if (looks.some(({ has, values }) => has[index] === 1 && isValid(values[index] ?? Number.NaN) && values[index] !== 0)) counts.nonZero++;
    const value = now.values[index] ?? Number.NaN;
    if (!isValid(value)) return;
    counts.valid++;
    const shows = showsLoad(field.unit, field.signal, value);
    const by = field.signal === "power" ? "power" : "activity";
    if (shows !== null) load[by] = shows || load[by] === true;
  });
}

/** Whether a node works, by what its GPUs say of their activity and by what they draw; null where they do not say. */
interface Load {
  activity: boolean | null;
  power: boolean | null;
}

function stateOf(signal: FleetSignal, tally: SignalReadings | undefined, busy: Load | undefined): CoverageState {
  // Whether activity itself stands still at 0 only power can tell.
  const load = signal.name === "activity" ? (busy?.power ?? false) : (busy?.activity ?? busy?.power ?? null);
  return signalState(signal, tally ?? { series: 0, readings: 0, valid: 0, nonZero: 0 }, load);
}

/** Our agent says whether it reads the log, and then only that counts: who says that it fails to must not be taken for one who reads. */
function logState(agent: SignalReadings | undefined, lastMs: number | undefined, atMs: number): CoverageState {
  if (agent !== undefined && agent.series > 0) return agent.readings > 0 && agent.nonZero > 0 ? "seen" : "stale";
  if (lastMs === undefined) return "missing";
  return Math.abs(atMs - lastMs) <= LOG_SILENT_MS ? "seen" : "stale";
}

async function choose(views: Pick<FleetViews, "metrics" | "series">, layout: LayoutCore, pace: Pace): Promise<readonly Looked[]> {
  const metrics = await views.metrics();
  const looked: Looked[] = [];
  for (const [signal, { name }] of FLEET_SIGNALS.entries()) {
    const fieldsLooked = layout.nodes.map(() => 0);
    for (const field of fieldsOf(name)) {
      if (!metrics.has(field.name)) continue;
      if (fieldsLooked.every((taken) => taken >= FIELDS_A_NODE)) break;
      const seriesLooked = layout.nodes.map(() => 0);
      for (const [index, { entity, labels, place }] of (await views.series(field.name)).entries()) {
        if (index % SERIES_A_REST === 0) await pace.rest();
        // A trainer's log or a checkpoint directory is no kernel log.
        if (name === "kernel-log" && labels["kind"] !== "kmsg") continue;
        const node = entity === null ? -1 : nodeOfEntity(layout, entity.kind, entity.id);
        if (node < 0 || (fieldsLooked[node] ?? 0) >= FIELDS_A_NODE || (seriesLooked[node] ?? 0) >= SERIES_A_FIELD) continue;
        seriesLooked[node] = (seriesLooked[node] ?? 0) + 1;
        looked.push({ node, signal, field, place });
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

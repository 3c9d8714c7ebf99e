import { FLEET_FIELDS, type Entity, type FleetField, gpuOf, isReading, lastEventChanges, type LastEventOutcome } from "@trainwatch/core";
import type { FleetReader, FleetSeriesInfo, GaugeEvent, LastEvent } from "@trainwatch/store";
import { eventOf } from "./event-of.ts";

/** Gauges of a field at most: one a GPU. */
const MAX_SERIES = 262_144;
/** Times looked at in one go, so far apart: what a gauge shows for less than a scrape interval nobody has scraped. */
const LOOKS = 60;
const LOOK_EVERY_MS = 10_000;
/** A reading counts for so long. */
const AGE_MS = 5 * 60_000;
/** Readings of one gauge that are looked at one by one where it has changed: those of a day at a scrape every five seconds. */
const MAX_READINGS = 20_000;
const MAX_READ_MS = 24 * 3_600_000;

export interface GaugeRound {
  readonly gauges: readonly LastEvent[];
  readonly events: readonly GaugeEvent[];
  /** Everything up to here has been looked at. */
  readonly untilMs: number;
  readonly hasMore: boolean;
}

interface Gauge {
  readonly field: FleetField;
  readonly entity: Entity;
  readonly place: FleetSeriesInfo["place"];
  readonly before: LastEvent | null;
}

/**
 * Looks at every gauge of a last event from `sinceMs` on. Those that show another code than they did are then read reading by reading, so that
 * the event has the time at which the code came.
 */
export async function readGauges(reader: FleetReader, known: readonly LastEvent[], sinceMs: number, nowMs: number): Promise<GaugeRound> {
  const gauges = await findGauges(reader, known);
  const times = lookTimes(sinceMs, nowMs);
  const untilMs = times.at(-1) ?? sinceMs;
  if (gauges.length === 0 || times.length === 0) return { gauges: [], events: [], untilMs, hasMore: untilMs < nowMs - LOOK_EVERY_MS };
  const looks = await reader.atEach(
    gauges.map(({ place }) => place),
    times,
    AGE_MS,
  );
  const moved: LastEvent[] = [];
  const events = new Map<string, GaugeEvent>();
  for (const [index, gauge] of gauges.entries()) {
    const seen = looks.flatMap(({ has, values, timesMs }) => {
      const value = has[index] === 1 ? (values[index] ?? Number.NaN) : Number.NaN;
      return Number.isFinite(value) && isReading(gauge.field, value) ? [{ value, timeMs: timesMs[index] ?? sinceMs }] : [];
    });
    if (!seen.some(({ value }) => value !== gauge.before?.value)) continue;
    const { outcome, lastMs } = isOneNewValue(gauge, seen) ? changesOf(gauge, seen) : await readChanges(reader, gauge, seen, untilMs);
    if (outcome.last !== null) moved.push({ key: gauge.entity.id, metric: gauge.field.name, value: outcome.last, atMs: lastMs });
    for (const change of outcome.changes) {
      // Instances of one GPU repeat its fault.
      const of = gauge.entity.kind === "gpu" ? gpuOf(gauge.entity.id) : gauge.entity.id;
      const key = `${of} ${gauge.field.name} ${change.timeMs} ${change.code}`;
      if (!events.has(key)) events.set(key, { entity: gauge.entity, event: eventOf(gauge.field, change) });
    }
  }
  return { gauges: moved, events: [...events.values()], untilMs, hasMore: untilMs < nowMs - LOOK_EVERY_MS };
}

async function findGauges(reader: FleetReader, known: readonly LastEvent[]): Promise<readonly Gauge[]> {
  const before = new Map(known.map((event) => [`${event.metric} ${event.key}`, event]));
  const fields = FLEET_FIELDS.filter(({ kind }) => kind === "last-event");
  const found = await Promise.all(fields.map((field) => reader.series({ metric: field.name, limit: MAX_SERIES })));
  return found.flatMap((series, index) => {
    const field = fields[index];
    return series.flatMap(({ entity, place }): Gauge[] => {
      if (field === undefined || entity === null) return [];
      return [{ field, entity, place, before: before.get(`${field.name} ${entity.id}`) ?? null }];
    });
  });
}

function lookTimes(sinceMs: number, nowMs: number): readonly number[] {
  const count = Math.min(LOOKS, Math.floor((nowMs - sinceMs) / LOOK_EVERY_MS));
  return Array.from({ length: Math.max(0, count) }, (_, index) => sinceMs + (index + 1) * LOOK_EVERY_MS);
}

interface Seen {
  readonly value: number;
  readonly timeMs: number;
}

interface Changes {
  readonly outcome: LastEventOutcome;
  readonly lastMs: number;
}

/** A gauge that nobody has looked at before and that has said one thing all the time: nine in ten, when a fleet is switched on. */
function isOneNewValue({ before }: Gauge, seen: readonly Seen[]): boolean {
  return before === null && seen.every(({ value }) => value === seen[0]?.value);
}

function changesOf({ field }: Gauge, seen: readonly Seen[]): Changes {
  const readings = { timesMs: seen.map(({ timeMs }) => timeMs), values: seen.map(({ value }) => value), stale: seen.map(() => 0) };
  return { outcome: lastEventChanges(field, null, readings), lastMs: seen.at(-1)?.timeMs ?? 0 };
}

async function readChanges(reader: FleetReader, { field, place, before }: Gauge, seen: readonly Seen[], untilMs: number): Promise<Changes> {
  const fromMs = Math.max(before?.atMs ?? seen[0]?.timeMs ?? 0, untilMs - MAX_READ_MS);
  const readings = await reader.readings(place, fromMs, untilMs + 1, MAX_READINGS);
  return { outcome: lastEventChanges(field, before?.value ?? null, readings), lastMs: readings.timesMs.at(-1) ?? untilMs };
}

import { isFault, type Fault, type FleetIngest, type KnownSeries, type TimeBounds } from "@trainwatch/api";
import type { RawLabels } from "@trainwatch/core";
import type { LabelledReadings } from "./labelled-readings.ts";
import type { Link, SeriesChains } from "./series-chains.ts";

/** Where a series lies, or why it is not taken. Undefined: every reading of it is refused for its time, so it is not learnt. */
export type Told = KnownSeries | Fault | undefined;

/** By key, and by what followed what. */
export interface SeriesMemory {
  readonly book: FleetIngest["book"];
  readonly chains: SeriesChains;
}

interface Unknown {
  readonly key: string;
  /** Places in `series`: nothing keeps a sender from writing one series in several pieces. */
  readonly indices: readonly number[];
  readonly name: string;
  readonly labels: RawLabels;
}

/** Of each series of a request where it lies. Labels are read for series that are new only; others are found by the bytes of their labels. */
export async function tellSeries(
  { book, chains }: SeriesMemory,
  sender: string,
  readings: LabelledReadings,
  bounds: TimeBounds,
): Promise<readonly Told[]> {
  const told = findSeries({ book, chains }, sender, readings);
  if (!told.includes(undefined)) return told;
  const firstTimes = firstTakenTimes(readings, bounds);
  const unknown: Unknown[] = [];
  let timeMs = Number.POSITIVE_INFINITY;
  for (const indices of piecesOf(readings, told).values()) {
    const series = readings.series[indices[0] ?? -1];
    // No spread: a series may come in more pieces than a call takes arguments.
    const firstMs = indices.reduce((first, index) => Math.min(first, firstTimes[index] ?? first), Number.POSITIVE_INFINITY);
    if (series === undefined || firstMs === Number.POSITIVE_INFINITY) continue;
    const read = series.labels();
    if ("code" in read) for (const index of indices) told[index] = read;
    else {
      unknown.push({ key: series.key, indices, ...read });
      timeMs = Math.min(timeMs, firstMs);
    }
  }
  if (unknown.length === 0) return told;
  const learnt = await book.learn(sender, unknown, timeMs);
  unknown.forEach(({ key, indices }, at) => {
    const answer = learnt[at];
    if (answer === undefined) throw new Error("a series was asked for and not answered");
    if (!isFault(answer)) book.keep(sender, key, answer);
    for (const index of indices) told[index] = answer;
  });
  return told;
}

function findSeries({ book, chains }: SeriesMemory, sender: string, { series }: LabelledReadings): Told[] {
  let last: Link | null = null;
  const told: Told[] = [];
  for (const text of series) {
    const followed = chains.follow(last, text);
    const found = followed === null ? book.find(sender, text.key) : followed.series;
    told.push(found);
    last = followed ?? (found === undefined ? null : chains.join(last, found, text));
  }
  return told;
}

/** Places of the series that are not told, by their keys. */
function piecesOf({ series }: LabelledReadings, told: readonly Told[]): ReadonlyMap<string, readonly number[]> {
  const pieces = new Map<string, number[]>();
  series.forEach(({ key }, index) => {
    if (told[index] !== undefined) return;
    const same = pieces.get(key);
    if (same === undefined) pieces.set(key, [index]);
    else same.push(index);
  });
  return pieces;
}

/** Of each series the earliest time at which a reading of it is taken. */
function firstTakenTimes({ seriesOf, timesMs, series }: LabelledReadings, bounds: TimeBounds): Float64Array {
  const first = new Float64Array(series.length).fill(Number.POSITIVE_INFINITY);
  const isTaken = new Map<number, boolean>();
  seriesOf.forEach((index, reading) => {
    const timeMs = timesMs[reading] ?? Number.NaN;
    const known = isTaken.get(timeMs) ?? bounds.faultOf(timeMs) === null;
    isTaken.set(timeMs, known);
    if (known && timeMs < (first[index] ?? 0)) first[index] = timeMs;
  });
  return first;
}

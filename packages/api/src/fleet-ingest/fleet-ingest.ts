import { randomUUID } from "node:crypto";
import type { FrameAnswer } from "@trainwatch/core";
import type { Store } from "@trainwatch/store";
import type { FleetIngestParts } from "./fleet-ingest-parts.ts";
import { createGenerations } from "./generations.ts";
import { createReadingTally } from "./reading-tally.ts";
import { createSeriesBook, type SeriesBook } from "./series-book.ts";
import { createTimeBounds, type TimeBounds } from "./time-bounds.ts";
import { writeFrame } from "./write-frame.ts";
import { type Readings, type ReadingsAnswer, writeReadings } from "./write-readings.ts";

/** Series of all dictionaries that are remembered; some 40 bytes each. */
const MOST_DICTIONARY_SERIES = 4_000_000;

/** The way of readings into the fleet store: one a process, shared by the verb and by every receiver. */
export interface FleetIngest {
  readonly book: SeriesBook;
  /** Which times are taken now: series that come with no other have nothing to be learnt for. */
  timeBounds(): Promise<TimeBounds>;
  /** See {@link writeReadings}. */
  writeReadings(readings: Readings, refusedBefore?: number): Promise<ReadingsAnswer>;
  /** See {@link writeFrame}. */
  writeFrame(bytes: Uint8Array): Promise<FrameAnswer>;
  /** Writes the counts that wait. */
  close(): Promise<void>;
}

/** @param now epoch milliseconds */
export function createFleetIngest(store: Pick<Store, "fleet" | "records">, now: () => number): FleetIngest {
  const { writer } = store.fleet;
  const name = randomUUID();
  const tally = createReadingTally((counts) => store.fleet.count(name, now(), counts));
  const book = createSeriesBook({
    places: (identities, seenAtMs) => writer.places(identities, seenAtMs),
    observe: (identities, timeMs) => store.records.fleet.observe(identities, timeMs),
  });
  const parts: FleetIngestParts = {
    book,
    writer,
    tally,
    now,
    dictionaries: createGenerations(MOST_DICTIONARY_SERIES),
    timeBounds: createTimeBounds({ settings: store.records.settings, now }),
  };
  return {
    book,
    timeBounds: () => parts.timeBounds(),
    writeReadings: (readings, refusedBefore) => writeReadings(parts, readings, refusedBefore),
    writeFrame: (bytes) => writeFrame(parts, bytes),
    close: () => tally.flush(),
  };
}

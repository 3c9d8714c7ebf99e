import { setTimeout as delay } from "node:timers/promises";
import type { FleetReader } from "./contract.ts";

/** A read that has ended so long ago says that its reader is still there: a page asks one thing after another. */
const STAYS_MS = 250;
/** A commit rests no longer than this, however slow it was: senders come first again where the disk is what is slow. */
const MOST_REST_MS = 100;
/** Rest by the time that a commit took. */
const REST_RATIO = 2;

/**
 * While somebody reads, commits rest twice as long as they took: most of the processors and of the disk is then the reader's. A person waits for an
 * answer; a sender only keeps its readings a moment longer, and a sender that goes as fast as it is let would otherwise take all there is.
 */
export interface ReadersFirst {
  /** The same reader, watched. */
  watch(reader: FleetReader): FleetReader;
  /** @param tookMs what the commit took */
  rest(tookMs: number): Promise<void>;
}

/** @param now milliseconds of a clock that never jumps */
export function createReadersFirst(now: () => number = () => performance.now()): ReadersFirst {
  let reading = 0;
  let lastEnded = Number.NEGATIVE_INFINITY;
  const during = async <T>(act: () => Promise<T>): Promise<T> => {
    reading++;
    try {
      return await act();
    } finally {
      reading--;
      lastEnded = now();
    }
  };
  return {
    watch: (reader) => ({
      metrics: () => during(() => reader.metrics()),
      series: (filter) => during(() => reader.series(filter)),
      at: (places, atMs, maxAgeMs) => during(() => reader.at(places, atMs, maxAgeMs)),
      newestAtMs: (atMs) => during(() => reader.newestAtMs(atMs)),
      atEach: (places, atMs, maxAgeMs) => during(() => reader.atEach(places, atMs, maxAgeMs)),
      window: (places, fromMs, toMs, buckets) => during(() => reader.window(places, fromMs, toMs, buckets)),
      readings: (place, fromMs, toMs, limit) => during(() => reader.readings(place, fromMs, toMs, limit)),
    }),
    async rest(tookMs) {
      if (reading > 0 || now() - lastEnded < STAYS_MS) await delay(Math.min(REST_RATIO * tookMs, MOST_REST_MS));
    },
  };
}

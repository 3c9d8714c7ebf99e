import type pg from "pg";
import type { FleetReader } from "./contract.ts";
import { readAt } from "./read-at.ts";
import { readAtEach } from "./read-at-each.ts";
import { readNewestAtMs } from "./read-newest.ts";
import { readReadings } from "./read-readings.ts";
import { readMetrics, readSeries } from "./read-series.ts";
import { readWindow } from "./read-window.ts";

/** The read side of the fleet store: tail, blocks, late parts and cells as one. */
export function createFleetReader(pool: pg.Pool): FleetReader {
  return {
    metrics: () => readMetrics(pool),
    series: (filter) => readSeries(pool, filter),
    at: (places, atMs, maxAgeMs) => readAt(pool, places, atMs, maxAgeMs),
    newestAtMs: (atMs) => readNewestAtMs(pool, atMs),
    atEach: (places, atMs, maxAgeMs) => readAtEach(pool, places, atMs, maxAgeMs),
    window: (places, fromMs, toMs, buckets) => readWindow(pool, places, fromMs, toMs, buckets),
    readings: (place, fromMs, toMs, limit) => readReadings(pool, place, fromMs, toMs, limit),
  };
}

import type { SeriesIdentity } from "@trainwatch/core";
import type pg from "pg";
import { explainDatabase } from "../../pool/index.ts";
import type { SeriesPlace } from "../contract.ts";
import { makePlaces, type WantedPlace } from "./make-places.ts";

/** Series of a transaction at most: what a fleet of 200 nodes brings when it is switched on. */
const BATCH_SERIES = 50_000;

interface Asking {
  readonly wanted: readonly WantedPlace[];
  readonly resolve: (places: readonly SeriesPlace[]) => void;
  readonly reject: (error: unknown) => void;
}

/** While one transaction makes places, whoever else asks is gathered for the next: a thousand agents that come at once make a few of them. */
export function createAskPlaces(pool: pg.Pool): (series: readonly SeriesIdentity[], seenAtMs: number) => Promise<readonly SeriesPlace[]> {
  const queue: Asking[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) {
      const batch = takeBatch(queue);
      try {
        const places = await makePlaces(
          pool,
          batch.flatMap(({ wanted }) => wanted),
        );
        let at = 0;
        for (const { wanted, resolve } of batch) resolve(places.slice(at, (at += wanted.length)));
      } catch (error) {
        const explained = explainDatabase(error, "Nothing was stored; send it again in a moment.") ?? error;
        for (const { reject } of batch) reject(explained);
      }
    }
    isRunning = false;
  };
  return (series, seenAtMs) =>
    new Promise((resolve, reject) => {
      if (series.length === 0) return resolve([]);
      queue.push({ wanted: series.map((identity) => ({ identity, seenAtMs })), resolve, reject });
      if (!isRunning) void run();
    });
}

function takeBatch(queue: Asking[]): readonly Asking[] {
  let series = 0;
  let count = 0;
  while (count < queue.length && (count === 0 || series < BATCH_SERIES)) series += queue[count++]?.wanted.length ?? 0;
  return queue.splice(0, count);
}

import type pg from "pg";
import { newestOf, type SectionReadings } from "./block-codec.ts";
import { type FleetReadings, type SeriesPlace, WINDOW_MS, windowOf } from "./contract.ts";
import { countUpTo, emptyReadings } from "./read-at.ts";
import { keysOf, type SectionKey } from "./read-keys.ts";
import { readStretch, withWindows } from "./read-stretch.ts";
import { lastOf } from "./read-tables.ts";

/** Sections a query: a window of the tail has a row for each of their readings, and 256 of them are some 30,000 rows. */
const KEYS_AT_ONCE = 256;
type Answer = ReturnType<typeof emptyReadings>;

/** The same as `readAt` at each of the times (ascending); every window that any of them needs is read once. */
export async function readAtEach(
  pool: pg.Pool,
  places: readonly SeriesPlace[],
  atMs: readonly number[],
  maxAgeMs: number,
): Promise<readonly FleetReadings[]> {
  const answers = atMs.map(() => emptyReadings(places.length));
  const keys = keysOf(places);
  for (const windowNo of neededWindows(atMs, maxAgeMs)) {
    // Times whose answer may lie in this window: those in it, and those after it that may be as old.
    const asked = atMs.flatMap((ms, index) => {
      const answer = answers[index];
      return answer === undefined || ms < windowNo * WINDOW_MS || ms - maxAgeMs > lastOf(windowNo) ? [] : [{ ms, answer }];
    });
    const [fromMs, toMs] = [
      Math.max(windowNo * WINDOW_MS, (asked[0]?.ms ?? 0) - maxAgeMs),
      Math.min(lastOf(windowNo), asked.at(-1)?.ms ?? 0),
    ];
    for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
      const some = keys.slice(from, from + KEYS_AT_ONCE);
      const stretches = await withWindows(pool, windowNo, windowNo, (client, windows) => readStretch(client, some, windows, fromMs, toMs));
      for (const { key, readings } of stretches) for (const each of asked) takeInto(each, some[key], readings, maxAgeMs);
    }
  }
  return answers.map(({ values, timesMs, has }) => ({ values, timesMs, has }));
}

function neededWindows(atMs: readonly number[], maxAgeMs: number): readonly number[] {
  const needed = new Set<number>();
  for (const ms of atMs) for (let windowNo = windowOf(ms - maxAgeMs); windowNo <= windowOf(ms); windowNo++) needed.add(windowNo);
  return [...needed].sort((a, b) => a - b);
}

function takeInto(
  { ms, answer }: { readonly ms: number; readonly answer: Answer },
  key: SectionKey | undefined,
  readings: SectionReadings,
  maxAgeMs: number,
): void {
  const end = countUpTo(readings.times, ms);
  for (const { slot, index } of key?.wanted ?? []) {
    const mine = readings.slots[slot] ?? null;
    const newest = mine === null ? null : newestOf(readings.times, mine, end);
    if (newest !== null && newest.timeMs >= ms - maxAgeMs) answer.take(index, newest.timeMs, newest.value, newest.has);
  }
}

import type pg from "pg";
import { isStaleMarker } from "@trainwatch/core";
import { decodeBlock } from "./block-codec.ts";
import { HAS } from "./block-column.ts";
import { type FleetReadings, SECTION_SLOTS, type SeriesPlace, WINDOW_MS, windowOf } from "./contract.ts";
import { createPace } from "./pack-pace.ts";
import { keysOf, type SectionKey } from "./read-keys.ts";
import { withWindows } from "./read-stretch.ts";
import { lastOf, readBlocks, readTail, type TailCut, type WindowInfo } from "./read-tables.ts";

interface Answer extends FleetReadings {
  /** Takes a reading if it is newer than what is known of the place. */
  take(index: number, timeMs: number, value: number, has: number): void;
}

export function emptyReadings(length: number): Answer {
  const values = new Float64Array(length).fill(Number.NaN);
  const timesMs = new Float64Array(length).fill(Number.NaN);
  const has = new Uint8Array(length);
  return {
    values,
    timesMs,
    has,
    take(index, timeMs, value, kind) {
      if ((timesMs[index] ?? 0) >= timeMs) return;
      timesMs[index] = timeMs;
      values[index] = kind === HAS.stale ? Number.NaN : value;
      has[index] = kind;
    },
  };
}

/** The newest reading of each place in [atMs − maxAgeMs, atMs]. Window by window backwards, and only for places that are still missing. */
export async function readAt(pool: pg.Pool, places: readonly SeriesPlace[], atMs: number, maxAgeMs: number): Promise<FleetReadings> {
  const fromMs = atMs - maxAgeMs;
  return withWindows(pool, windowOf(fromMs), windowOf(atMs), async (client, windows) => {
    const answer = emptyReadings(places.length);
    let keys = keysOf(places);
    for (const window of [...windows].reverse()) {
      if (keys.length === 0) break;
      const range = {
        fromMs: Math.max(fromMs, window.windowNo * WINDOW_MS),
        toMs: Math.min(atMs, lastOf(window.windowNo)),
      };
      if (window.state === "open") keys = await fromTail(client, keys, range, answer);
      else keys = await fromBoth(client, keys, window, range, answer);
    }
    return { values: answer.values, timesMs: answer.timesMs, has: answer.has };
  });
}

interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The newest row of each group has nearly all of them; what it lacks is looked for in all rows. */
async function fromTail(
  client: pg.ClientBase,
  keys: readonly SectionKey[],
  range: TimeRange,
  answer: Answer,
): Promise<readonly SectionKey[]> {
  for (const row of await readTail(client, keys, range.fromMs, range.toMs, "newest")) takeRow(keys[row.key], row, answer);
  const missing = stillMissing(keys, answer);
  if (missing.length === 0) return missing;
  for (const row of await readTail(client, missing, range.fromMs, range.toMs, "all")) takeRow(missing[row.key], row, answer);
  return stillMissing(missing, answer);
}

function takeRow(key: SectionKey | undefined, { timeMs, view, runs }: TailCut, answer: Answer): void {
  if (key === undefined) return;
  for (const { slot, index } of key.wanted) {
    const wanted = key.section * SECTION_SLOTS + slot;
    for (const { first, length, at } of runs) {
      if (wanted < first || wanted >= first + length) continue;
      const valueAt = at + 8 * (wanted - first);
      answer.take(index, timeMs, view.getFloat64(valueAt, true), isStaleMarker(view, valueAt) ? HAS.stale : HAS.value);
    }
  }
}

/** Blocks, after what the tail has where it is still there: something may have come late for either. */
async function fromBoth(
  client: pg.ClientBase,
  keys: readonly SectionKey[],
  { windowNo, state }: WindowInfo,
  range: TimeRange,
  answer: Answer,
): Promise<readonly SectionKey[]> {
  if (state !== "packed") await fromTail(client, keys, range, answer);
  const pace = createPace();
  const blocks = await readBlocks(client, keys, windowNo, windowNo);
  for (const { key, data } of [...blocks].sort((a, b) => a.part - b.part)) {
    await pace.rest();
    const packed = decodeBlock(data);
    const end = countUpTo(packed.times, range.toMs);
    for (const { slot, index } of keys[key]?.wanted ?? []) {
      const newest = packed.newest(slot, end);
      if (newest !== null && newest.timeMs >= range.fromMs) answer.take(index, newest.timeMs, newest.value, newest.has);
    }
  }
  return stillMissing(keys, answer);
}

/** How many of the ascending times are at or before `ms`. */
export function countUpTo(times: Float64Array, ms: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function stillMissing(keys: readonly SectionKey[], answer: Answer): readonly SectionKey[] {
  return keys.flatMap((key) => {
    const wanted = key.wanted.filter(({ index }) => answer.has[index] === HAS.none);
    if (wanted.length === key.wanted.length) return [key];
    return wanted.length === 0 ? [] : [{ ...key, wanted, mask: wanted.reduce((mask, { slot }) => mask | (1 << slot), 0) }];
  });
}

import type pg from "pg";
import { literal, readRows } from "../pool/index.ts";
import { type TimedRuns, timedRuns } from "./block-rows.ts";
import { SECTION_SLOTS, WINDOW_MS } from "./contract.ts";
import type { SectionKey } from "./read-keys.ts";

export type WindowState = "open" | "closed" | "packed";

export interface WindowInfo {
  readonly windowNo: number;
  readonly state: WindowState;
  readonly folded: boolean;
}

/** Windows that exist in [from, to], oldest first. */
export async function readWindows(client: pg.ClientBase, from: number, to: number): Promise<readonly WindowInfo[]> {
  const { rows } = await client.query<WindowInfo>({
    name: "fleet-windows",
    text: `SELECT window_no AS "windowNo", state, folded FROM samples.fleet_window WHERE window_no >= $1 AND window_no <= $2 ORDER BY window_no`,
    values: [from, to],
  });
  return rows;
}

/** The last double within a window: ranges of times include their end, windows do not. */
export function lastOf(windowNo: number): number {
  const end = (windowNo + 1) * WINDOW_MS;
  if (end === 0) return -Number.MIN_VALUE;
  const bits = new BigInt64Array(Float64Array.of(end).buffer);
  bits[0] = (bits[0] ?? 0n) - (end > 0 ? 1n : -1n);
  return new Float64Array(bits.buffer)[0] ?? 0;
}

/** A row of the tail as far as it speaks of the section `keys[key]`. */
export interface TailCut extends TimedRuns {
  readonly key: number;
}

/** The first row's place in its page is known from the index alone, and of the row itself only the section is sent where it is one run. */
const CUT = `CASE WHEN get_byte(data, 0) = 1 AND get_byte(data, 1) = 0 THEN greatest(get_byte(data, 2) + 256 * get_byte(data, 3), at) ELSE -1 END AS first,
  CASE WHEN get_byte(data, 0) = 1 AND get_byte(data, 1) = 0
    THEN substring(data, 7 + 8 * greatest(0, at - get_byte(data, 2) - 256 * get_byte(data, 3)),
      8 * greatest(0, at + ${SECTION_SLOTS} - greatest(get_byte(data, 2) + 256 * get_byte(data, 3), at)))
    ELSE data END AS bytes`;

/**
 * Rows of the tail in [fromMs, toMs] that may hold readings of the sections; each key's by time and part, or only those of its newest time
 * (a scraper that sends by several connections cuts a group in parts).
 * A scatter of one look a section into the primary key: `OFFSET 0` keeps the planner from making a join of it that reads everything.
 */
export async function readTail(
  client: pg.ClientBase,
  keys: readonly SectionKey[],
  fromMs: number,
  toMs: number,
  which: "all" | "newest",
): Promise<readonly TailCut[]> {
  const order = which === "all" ? "ORDER BY time_ms, part OFFSET 0" : "ORDER BY time_ms DESC FETCH FIRST 1 ROW WITH TIES";
  return readRows(
    client,
    `SELECT k.i, t.time_ms, t.first, t.bytes FROM ${keyTable(keys)},
       LATERAL (SELECT time_ms, ${CUT} FROM samples.fleet_tail
         WHERE group_id = k.group_id AND time_ms >= ${literal.float8(fromMs)} AND time_ms <= ${literal.float8(toMs)} ${order}) t`,
    (row) => {
      const [key, timeMs, first, bytes] = [row.int4(), row.float8(), row.int4(), row.bytea()];
      if (first < 0) return { key, ...timedRuns(timeMs, bytes) };
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return { key, timeMs, view, runs: [{ first, length: bytes.length / 8, at: 0 }] };
    },
  );
}

export interface BlockCut {
  readonly key: number;
  readonly windowNo: number;
  readonly part: number;
  readonly data: Buffer;
}

/** Blocks of the sections in windows [fromWindow, toWindow], in no order. A scatter into the primary key, as above. */
export async function readBlocks(
  client: pg.ClientBase,
  keys: readonly SectionKey[],
  fromWindow: number,
  toWindow: number,
): Promise<readonly BlockCut[]> {
  return readRows(
    client,
    `SELECT k.i, b.window_no, b.part, b.data FROM ${keyTable(keys)},
       LATERAL (SELECT window_no, part, data FROM samples.fleet_block WHERE group_id = k.group_id AND section = k.section
         AND window_no >= ${literal.int(fromWindow)} AND window_no <= ${literal.int(toWindow)} OFFSET 0) b`,
    (row) => ({ key: row.int4(), windowNo: row.int4(), part: row.int2(), data: row.bytea() }),
  );
}

/** Windows in [fromWindow, toWindow] of which a section has parts that are not in its cells yet. Index: fleet_block_late_idx. */
export async function readLateWindows(
  client: pg.ClientBase,
  keys: readonly SectionKey[],
  fromWindow: number,
  toWindow: number,
): Promise<readonly { readonly key: number; readonly windowNo: number }[]> {
  return readRows(
    client,
    `SELECT DISTINCT k.i, b.window_no FROM ${keyTable(keys)}, samples.fleet_block b WHERE b.group_id = k.group_id AND b.section = k.section
       AND b.part > 0 AND b.window_no >= ${literal.int(fromWindow)} AND b.window_no <= ${literal.int(toWindow)}`,
    (row) => ({ key: row.int4(), windowNo: row.int4() }),
  );
}

/** Keys as a table `k(group_id, section, at, i)`: `at` is the section's first slot, `i` counts the keys from 0. */
function keyTable(keys: readonly SectionKey[]): string {
  const groups = literal.ints(keys.map(({ groupId }) => groupId));
  const sections = literal.ints(keys.map(({ section }) => section));
  return `(SELECT group_id, section, ${SECTION_SLOTS} * section AS at, (i - 1)::int AS i
     FROM unnest(${groups}, ${sections}) WITH ORDINALITY AS u(group_id, section, i)) k`;
}

import { AppError } from "@trainwatch/core";
import type pg from "pg";
import { inTransaction, literal, readRows } from "../../pool/index.ts";
import { type TailRow, windowOf } from "../contract.ts";
import { LOCKS } from "../locks.ts";
import { decodeTailRow, encodeTailRow, type TailReadings } from "../tail-row.ts";
import { byGroupAndTime } from "./fast-insert.ts";
import type { LateBlocks, TimedReadings } from "./late-blocks.ts";
import type { OpenWindows } from "./open-windows.ts";
import { type MergeOutcome, type StoredReadings, storedReadings } from "./stored-readings.ts";

/** What became of one row. */
export type RowOutcome = Pick<MergeOutcome, "repeated" | "conflicts"> & { readonly accepted: number };

/** Rows a transaction at most: each holds a lock on its group. */
const ROWS_A_TRANSACTION = 256;
/** Each try that fails has been overtaken: by somebody's row of the same group and time, or by retention, which has deleted a window. */
const MAX_TRIES = 8;

/** One group at one time. */
interface Place {
  readonly groupId: number;
  readonly timeMs: number;
}

interface StoredPlace extends Place {
  readonly stored: StoredReadings;
  /** Of the next part in the tail. */
  nextPart: number;
}

export interface SlowDeps {
  readonly pool: pg.Pool;
  readonly windows: OpenWindows;
  readonly late: LateBlocks;
}

/**
 * Stores rows whose group and time are known already in part, or whose window is closed, reading by reading; outcomes in the order of `rows`.
 * Sending again what is stored is the common case by far, and costs no lock and no write.
 */
export async function insertSlow(deps: SlowDeps, rows: readonly TailRow[]): Promise<readonly RowOutcome[]> {
  const outcomes: RowOutcome[] = [];
  const order = rows.map((row, index) => ({ row, index })).sort((a, b) => byGroupAndTime(a.row, b.row) || a.index - b.index);
  for (let from = 0; from < order.length; from += ROWS_A_TRANSACTION) {
    const chunk = order.slice(from, from + ROWS_A_TRANSACTION);
    const some = chunk.map(({ row }) => row);
    const done = (await repeatsOf(deps.pool, some)) ?? (await storeRest(deps, some));
    chunk.forEach(({ index }, at) => {
      const outcome = done[at];
      if (outcome !== undefined) outcomes[index] = outcome;
    });
  }
  return outcomes;
}

/** Outcomes where the tail holds every reading already; null where something is left to store. */
async function repeatsOf(pool: pg.Pool, rows: readonly TailRow[]): Promise<readonly RowOutcome[] | null> {
  const client = await pool.connect();
  try {
    const places = await readTail(client, rows);
    const merged = rows.map((row) => placeOf(places, row).stored.merge(row));
    return merged.every(({ fresh }) => fresh.slots.length === 0) ? merged.map(outcomeOf) : null;
  } finally {
    client.release();
  }
}

async function storeRest({ pool, windows, late }: SlowDeps, rows: readonly TailRow[]): Promise<readonly RowOutcome[]> {
  const wanted = new Set(rows.map((row) => windowOf(row.timeMs)));
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await windows.ensure(wanted);
    const done = await inTransaction(pool, "write", async (client) => storeLocked(client, late, rows)).catch((error: unknown) =>
      error instanceof Overtaken ? null : Promise.reject(error),
    );
    if (done !== null) return done;
    windows.forget(wanted);
  }
  throw new AppError(
    "unavailable",
    `Others wrote the same readings ${MAX_TRIES} times while these were compared with what is stored. Send them again in a moment.`,
    { details: { groups: groupsOf(rows).slice(0, 16) } },
  );
}

class Overtaken extends Error {
  override readonly name = "Overtaken";
}

async function storeLocked(client: pg.PoolClient, late: LateBlocks, rows: readonly TailRow[]): Promise<readonly RowOutcome[]> {
  const isOpen = await lockWindows(client, [...new Set(rows.map((row) => windowOf(row.timeMs)))]);
  await client.query("SELECT pg_advisory_xact_lock($1, group_id) FROM unnest($2::int[]) AS group_id", [LOCKS.fleetGroup, groupsOf(rows)]);
  const places = await readTail(client, rows);
  const closed = rows.filter((row) => !isOpen(row));
  for (const { groupId, windowNo, timesMs } of closedParts(closed)) {
    for (const readings of await late.read(client, groupId, windowNo, timesMs)) {
      places.get(keyOf({ groupId, timeMs: readings.timeMs }))?.stored.add(readings);
    }
  }
  const merged = rows.map((row) => ({ row, ...placeOf(places, row).stored.merge(row) }));
  const fresh = merged.filter((each) => each.fresh.slots.length > 0);
  await insertParts(
    client,
    fresh.filter(({ row }) => isOpen(row)).map(({ row, fresh: readings }) => ({ place: placeOf(places, row), readings })),
  );
  const lateOnes = fresh.filter(({ row }) => !isOpen(row));
  for (const { groupId, windowNo } of closedParts(lateOnes.map(({ row }) => row))) {
    const readings = lateOnes
      .filter(({ row }) => row.groupId === groupId && windowOf(row.timeMs) === windowNo)
      .map(({ row, fresh: { slots, values } }): TimedReadings => ({ timeMs: row.timeMs, slots, values }));
    await late.write(client, groupId, windowNo, readings);
  }
  return merged.map(outcomeOf);
}

/** Share-locks the windows: none of them changes its state before we are through. */
async function lockWindows(client: pg.ClientBase, windows: readonly number[]): Promise<(row: TailRow) => boolean> {
  const { rows } = await client.query<{ window_no: number; state: string }>(
    "SELECT window_no, state FROM samples.fleet_window WHERE window_no = ANY($1::int[]) ORDER BY window_no FOR SHARE",
    [windows],
  );
  if (rows.length < windows.length) throw new Overtaken();
  const open = new Set(rows.filter(({ state }) => state === "open").map(({ window_no }) => window_no));
  return (row) => open.has(windowOf(row.timeMs));
}

/** All parts that the tail has of the rows' groups and times, through the primary key of the one partition of each time. */
async function readTail(client: pg.ClientBase, rows: readonly Place[]): Promise<ReadonlyMap<string, StoredPlace>> {
  const places = new Map<string, StoredPlace>();
  for (const { groupId, timeMs } of rows)
    places.set(keyOf({ groupId, timeMs }), { groupId, timeMs, stored: storedReadings(), nextPart: 0 });
  const asked = [...places.values()];
  const groups = literal.ints(asked.map((place) => place.groupId));
  const times = literal.float8s(asked.map((place) => place.timeMs));
  await readRows(
    client,
    `SELECT k.group_id, k.time_ms, t.part, t.data FROM unnest(${groups}, ${times}) AS k(group_id, time_ms),
       LATERAL (SELECT part, data FROM samples.fleet_tail WHERE group_id = k.group_id AND time_ms = k.time_ms ORDER BY part) t`,
    (row) => {
      const place = places.get(keyOf({ groupId: row.int4(), timeMs: row.float8() }));
      const part = row.int2();
      const readings = decodeTailRow(row.bytea());
      if (place === undefined) return;
      place.stored.add(readings);
      place.nextPart = Math.max(place.nextPart, part + 1);
    },
  );
  return places;
}

async function insertParts(
  client: pg.ClientBase,
  parts: readonly { readonly place: StoredPlace; readonly readings: TailReadings }[],
): Promise<void> {
  if (parts.length === 0) return;
  const { rowCount } = await client.query(
    `INSERT INTO samples.fleet_tail (group_id, time_ms, part, data) SELECT * FROM unnest($1::int[], $2::float8[], $3::int[], $4::bytea[]) ON CONFLICT DO NOTHING`,
    [
      parts.map(({ place }) => place.groupId),
      parts.map(({ place }) => place.timeMs),
      parts.map(({ place }) => place.nextPart++),
      parts.map(({ readings }) => encodeTailRow(readings)),
    ],
  );
  if (rowCount !== parts.length) throw new Overtaken();
}

interface ClosedPart {
  readonly groupId: number;
  readonly windowNo: number;
  readonly timesMs: readonly number[];
}

function closedParts(rows: readonly TailRow[]): readonly ClosedPart[] {
  const parts = new Map<string, ClosedPart & { readonly timesMs: number[] }>();
  for (const { groupId, timeMs } of rows) {
    const windowNo = windowOf(timeMs);
    const key = `${groupId} ${windowNo}`;
    const part = parts.get(key) ?? { groupId, windowNo, timesMs: [] };
    part.timesMs.push(timeMs);
    parts.set(key, part);
  }
  return [...parts.values()];
}

function groupsOf(rows: readonly TailRow[]): readonly number[] {
  return [...new Set(rows.map((row) => row.groupId))].sort((a, b) => a - b);
}

function keyOf({ groupId, timeMs }: Place): string {
  return `${groupId} ${timeMs}`;
}

function placeOf(places: ReadonlyMap<string, StoredPlace>, row: Place): StoredPlace {
  const place = places.get(keyOf(row));
  if (place === undefined) throw new Error(`group ${row.groupId} was not looked up at ${row.timeMs}`);
  return place;
}

function outcomeOf({ fresh, repeated, conflicts }: MergeOutcome): RowOutcome {
  return { accepted: fresh.slots.length, repeated, conflicts };
}

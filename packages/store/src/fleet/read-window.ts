import { type FleetField, fieldOf } from "@trainwatch/core";
import type pg from "pg";
import { type FleetBuckets, type SeriesPlace, WINDOW_MS, windowOf } from "./contract.ts";
import { readCells, spanOf } from "./cell-table.ts";
import { createPace, type Pace } from "./pack-pace.ts";
import { type BucketFill, createBucketFill } from "./read-fill.ts";
import { bucketPlan, type BucketPlan, type ReadLevel } from "./read-edges.ts";
import { keysOf, type SectionKey } from "./read-keys.ts";
import { readStretch, withWindows } from "./read-stretch.ts";
import { lastOf, readLateWindows, type WindowInfo } from "./read-tables.ts";

/** Blocks a query: some 4 MB. */
const BLOCKS_AT_ONCE = 2_048;

interface Plan extends BucketPlan {
  readonly keys: readonly SectionKey[];
  readonly fills: readonly BucketFill[];
  readonly pace: Pace;
}

/** Buckets of each place. */
export async function readWindow(
  pool: pg.Pool,
  places: readonly SeriesPlace[],
  fromMs: number,
  toMs: number,
  buckets: number,
): Promise<readonly FleetBuckets[]> {
  const { level, edges } = bucketPlan(fromMs, toMs, buckets);
  const fields = await fieldsOf(pool, places);
  const fills = places.map((_, index) => createBucketFill(edges, fields[index] ?? null));
  const plan = { level, edges, keys: keysOf(places), fills, pace: createPace() };
  await (level === 0 ? fillFromReadings(pool, plan) : fillFromCells(pool, plan));
  return fills.map((fill) => fill.buckets);
}

/** What is known of the metric of each place. */
async function fieldsOf(pool: pg.Pool, places: readonly SeriesPlace[]): Promise<readonly (FleetField | null)[]> {
  const { rows } = await pool.query<{ i: number; metric: string }>(
    `SELECT p.i::int AS i, s.metric FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS p(group_id, slot, i)
     JOIN samples.fleet_series s ON s.group_id = p.group_id AND s.slot = p.slot`,
    [places.map(({ groupId }) => groupId), places.map(({ slot }) => slot)],
  );
  const fields: (FleetField | null)[] = places.map(() => null);
  for (const { i, metric } of rows) fields[i - 1] = fieldOf(metric);
  return fields;
}

async function fillFromReadings(pool: pg.Pool, { edges, keys, fills, pace }: Plan): Promise<void> {
  const [fromMs, toMs] = [edges[0] ?? 0, edges.at(-1) ?? 0];
  const step = Math.max(1, Math.floor(BLOCKS_AT_ONCE / Math.max(1, keys.length)));
  for (let from = windowOf(fromMs); from * WINDOW_MS < toMs; from += step) {
    const to = from + step - 1;
    const stretches = await withWindows(pool, from, to, (client, windows) =>
      readStretch(client, keys, windows, Math.max(fromMs, from * WINDOW_MS), Math.min(toMs, lastOf(to))),
    );
    for (const { key, readings } of stretches) {
      await pace.rest();
      for (const { slot, index } of keys[key]?.wanted ?? []) fills[index]?.addReadings(readings, slot);
    }
  }
}

/** Section by section, so that no more than one section's cells are in memory. */
async function fillFromCells(pool: pg.Pool, plan: Plan): Promise<void> {
  const [from, to] = [windowOf(plan.edges[0] ?? 0), windowOf(plan.edges.at(-1) ?? 0)];
  if (from >= to) return;
  for (const key of plan.keys) {
    const pieces = await withWindows(pool, from, to - 1, (client, windows) => sectionPieces(client, key, windows, plan.level));
    await addPieces(pieces, key, plan);
  }
}

/** What a section has in the windows, in the order of time. */
type Piece =
  | { readonly startMs: number; readonly cells: FleetBuckets }
  | { readonly startMs: number; readonly readings: Awaited<ReturnType<typeof readStretch>>[number]["readings"] };

/** Cells where they say all; readings of windows that are not packed yet, or that something came late for. */
async function sectionPieces(
  client: pg.ClientBase,
  key: SectionKey,
  windows: readonly WindowInfo[],
  level: ReadLevel,
): Promise<readonly Piece[]> {
  const [first, last] = [windows[0]?.windowNo, windows.at(-1)?.windowNo];
  if (first === undefined || last === undefined) return [];
  const late = new Set((await readLateWindows(client, [key], first, last)).map(({ windowNo }) => windowNo));
  const raw = windows.filter(({ windowNo, state }) => state !== "packed" || late.has(windowNo));
  const rawWindows = new Set(raw.map(({ windowNo }) => windowNo));
  const spans = level === 2 ? wholeSpans(windows, rawWindows) : new Set<number>();
  const range = { fromWindow: first, toWindow: last + 1, sections: [key.section] };
  const ones = await readCells(client, key.groupId, { level: 1, ...range });
  const twos = spans.size === 0 ? [] : await readCells(client, key.groupId, { level: 2, ...range, fromWindow: spanOf(first) });
  const pieces: Piece[] = [
    ...ones.filter(({ windowNo }) => !rawWindows.has(windowNo) && !spans.has(spanOf(windowNo))),
    ...twos.filter(({ windowNo }) => spans.has(windowNo)),
  ].map(({ windowNo, cells }) => ({ startMs: windowNo * WINDOW_MS, cells }));
  for (const window of raw) {
    const start = window.windowNo * WINDOW_MS;
    for (const { readings } of await readStretch(client, [key], [window], start, lastOf(window.windowNo)))
      pieces.push({ startMs: start, readings });
  }
  return pieces.sort((a, b) => a.startMs - b.startMs);
}

/** Spans that level 2 counts in with every window they have. */
function wholeSpans(windows: readonly WindowInfo[], raw: ReadonlySet<number>): ReadonlySet<number> {
  const spans = new Set(windows.map(({ windowNo }) => spanOf(windowNo)));
  for (const { windowNo, folded } of windows) if (!folded || raw.has(windowNo)) spans.delete(spanOf(windowNo));
  return spans;
}

async function addPieces(pieces: readonly Piece[], key: SectionKey, { fills, pace }: Plan): Promise<void> {
  for (const piece of pieces) {
    await pace.rest();
    for (const { slot, index } of key.wanted) {
      if ("cells" in piece) fills[index]?.addCell(piece.startMs, piece.cells, slot);
      else fills[index]?.addReadings(piece.readings, slot);
    }
  }
}

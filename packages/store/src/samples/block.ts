import type pg from "pg";
import { type RowReader, copyRows, literal, readRows } from "../pool/index.ts";
import { type Cells, encodeCells } from "./cells.ts";
import { type Points, encodePoints } from "./points.ts";

/** `up` of a row that no coarser level holds yet. */
export const NOT_FOLDED = 127;
/** Points a full row holds, and cells. Small enough to read one for a narrow window, large enough that a million points are 500 rows. */
export const FULL_POINTS = 2048;
export const FULL_CELLS = 256;

/** One row of `samples.block`: packed points (level 0) or cells of one series in one attempt. */
export interface Block {
  readonly seriesId: number;
  readonly attemptId: number;
  readonly up: number;
  readonly level: number;
  readonly loStep: number;
  readonly hiStep: number;
  readonly loArrival: number;
  readonly hiArrival: number;
  /** Null where no point has a time. */
  readonly loTimeMs: number | null;
  readonly hiTimeMs: number | null;
  readonly size: number;
  readonly far: boolean;
  readonly data: Buffer;
}

export interface StoredBlock extends Block {
  readonly rowNo: number;
}

export interface BlockOwner {
  readonly seriesId: number;
  readonly attemptId: number;
}

/** `points` in the order of (step, arrival), at least one. */
export function pointsBlock({ seriesId, attemptId }: BlockOwner, points: Points, far: boolean): Block {
  const { loTimeMs, hiTimeMs } = timeRange(points.timeMs);
  const [loArrival, hiArrival] = range(points.arrival);
  const loStep = points.step[0] ?? 0;
  const hiStep = points.step[points.count - 1] ?? 0;
  return {
    seriesId,
    attemptId,
    up: NOT_FOLDED,
    level: 0,
    loStep,
    hiStep,
    loArrival,
    hiArrival,
    loTimeMs,
    hiTimeMs,
    size: points.count,
    far,
    data: encodePoints(points),
  };
}

/** `cells` in the order of their first step, at least one. */
export function cellsBlock(owner: BlockOwner, level: number, cells: Cells): Block {
  const [, hiStep] = range(cells.stepLast);
  const { loTimeMs } = timeRange(cells.timeFirst);
  const { hiTimeMs } = timeRange(cells.timeLast);
  const loStep = cells.stepFirst[0] ?? 0;
  return {
    ...owner,
    up: NOT_FOLDED,
    level,
    loStep,
    hiStep,
    loArrival: 0,
    hiArrival: 0,
    loTimeMs,
    hiTimeMs,
    size: cells.count,
    far: false,
    data: encodeCells(cells),
  };
}

function range(values: Float64Array): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  for (const value of values) {
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return [lo, hi];
}

function timeRange(times: Float64Array): { loTimeMs: number | null; hiTimeMs: number | null } {
  const [lo, hi] = range(times);
  return lo <= hi ? { loTimeMs: lo, hiTimeMs: hi } : { loTimeMs: null, hiTimeMs: null };
}

const COLUMNS =
  "group_id, series_id, attempt_id, up, level, lo_step, hi_step, row_no, lo_arrival, hi_arrival, lo_time_ms, hi_time_ms, size, far, data";

/** What is read of a row, in the order in which `blockFrom` takes it. */
const READ = "series_id, attempt_id, up, level, lo_step, hi_step, row_no, lo_arrival, hi_arrival, lo_time_ms, hi_time_ms, size, far, data";

/** Writes rows of one group, numbered on from `firstRow`. */
export async function writeBlocks(client: pg.ClientBase, groupId: number, firstRow: number, blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return;
  await copyRows(client, `samples.block (${COLUMNS})`, (to) => {
    blocks.forEach((block, index) => {
      to.row(15);
      to.int4(groupId);
      to.int4(block.seriesId);
      to.int4(block.attemptId);
      to.int2(block.up);
      to.int2(block.level);
      to.float8(block.loStep);
      to.float8(block.hiStep);
      to.int8(firstRow + index);
      to.float8(block.loArrival);
      to.float8(block.hiArrival);
      to.float8(block.loTimeMs);
      to.float8(block.hiTimeMs);
      to.int4(block.size);
      to.bool(block.far);
      to.bytea(block.data);
    });
  });
}

/**
 * Reads rows of one group that meet `where`, in the order in which they were written; the first `limit` of them if there is one.
 * @param where SQL made with `literal`.
 */
export function readBlocks(client: pg.ClientBase, groupId: number, where: string, limit?: number): Promise<StoredBlock[]> {
  return readRows(
    client,
    `SELECT ${READ} FROM samples.block WHERE group_id = ${literal.int(groupId)} AND ${where} ${inOrder(limit)}`,
    blockFrom,
  );
}

function inOrder(limit: number | undefined): string {
  return `ORDER BY row_no${limit === undefined ? "" : ` LIMIT ${literal.int(limit)}`}`;
}

/**
 * Reads rows of one group that go with those of another table, looked up owner by owner: a join of its own choice reads all rows of the group,
 * which a push must not. In the order in which they were
 * written, each once, the first `limit` if there is one. Index: the primary key.
 * @param wanted SQL made with `literal`: a FROM item `wanted` with at least `series_id` and `attempt_id`.
 * @param where SQL about `block` and `wanted`.
 */
export async function readBlocksFor(
  client: pg.ClientBase,
  groupId: number,
  wanted: string,
  where: string,
  limit?: number,
): Promise<StoredBlock[]> {
  const rows = await readRows(
    client,
    `SELECT found.* FROM ${wanted} CROSS JOIN LATERAL (
       SELECT ${READ} FROM samples.block
       WHERE group_id = ${literal.int(groupId)} AND block.series_id = wanted.series_id AND block.attempt_id = wanted.attempt_id AND ${where} OFFSET 0
     ) AS found ${inOrder(limit)}`,
    blockFrom,
  );
  return rows.filter((row, index) => row.rowNo !== rows[index - 1]?.rowNo);
}

function blockFrom(row: RowReader): StoredBlock {
  return {
    seriesId: row.int4(),
    attemptId: row.int4(),
    up: row.int2(),
    level: row.int2(),
    loStep: row.float8(),
    hiStep: row.float8(),
    rowNo: row.int8(),
    loArrival: row.float8(),
    hiArrival: row.float8(),
    loTimeMs: row.float8OrNull(),
    hiTimeMs: row.float8OrNull(),
    size: row.int4(),
    far: row.bool(),
    data: row.bytea(),
  };
}

/** Owners as two arrays of equal length, for a FROM clause: `(series_id, attempt_id)`. */
export function ownerTable(owners: readonly BlockOwner[]): string {
  return `unnest(${literal.ints(owners.map((owner) => owner.seriesId))}, ${literal.ints(owners.map((owner) => owner.attemptId))}) AS wanted (series_id, attempt_id)`;
}

import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import {
  type Block,
  type BlockOwner,
  FULL_CELLS,
  FULL_POINTS,
  NOT_FOLDED,
  type StoredBlock,
  cellsBlock,
  ownerTable,
  pointsBlock,
  readBlocksFor,
  writeBlocks,
} from "./block.ts";
import { joinByStretch } from "./bands/band-cells.ts";
import { isBandSeries } from "./bands/band-table.ts";
import { buildBands } from "./bands/build-bands.ts";
import { type Cells, decodeCells, mergeCells, sliceCells } from "./cells.ts";
import { foldCells, foldPoints, levelAbove } from "./fold.ts";
import { lockKnownGroup, noteRows } from "./group.ts";
import { decodePoints, mergePoints, slicePoints } from "./points.ts";

/** Small rows of one series and level that are put together once there are so many, full or not. */
const MANY_ROWS = 16;
/** Series a transaction packs: pushes to the run wait for it. */
const SERIES_AT_ONCE = 32;
/** Rows a transaction reads: some 20 MB. */
const ROWS_AT_ONCE = 1024;

/** Runs one call takes. */
const RUNS_AT_ONCE = 16;

/**
 * Packs the runs that have been written to since the last call: puts small rows together into full ones, and makes from each full row
 * cells of the next level. It changes how samples are stored and never what a read answers. Runs in small transactions.
 *
 * @param signal stops it between two transactions.
 * @returns whether there may be more to do.
 */
export async function packSamples(pool: pg.Pool, signal?: AbortSignal): Promise<boolean> {
  const { rows } = await pool.query<{ groupId: number; fresh: number }>(
    'SELECT group_id AS "groupId", fresh FROM samples.run_group WHERE fresh > 0 ORDER BY fresh DESC LIMIT $1',
    [RUNS_AT_ONCE],
  );
  const stopped = (): boolean => signal?.aborted === true;
  for (const { groupId, fresh } of rows) {
    await buildBands(pool, groupId, stopped);
    const owners = await findWork(pool, groupId);
    let atOnce = SERIES_AT_ONCE;
    for (let at = 0; at < owners.length && !stopped();) {
      const left = await inTransaction(pool, "write", (client) => packOwners(client, groupId, owners.slice(at, at + atOnce)));
      // Old rows of each level stay small for long and are read first: with those of so many series there was no room for what is to be packed.
      // Alone a series has room: they are fewer than MANY_ROWS a level.
      if (left === "all" && atOnce > 1) atOnce = Math.floor(atOnce / 2);
      else if (left !== "some") at += atOnce;
    }
    if (stopped()) return true;
    // What came in meanwhile is counted still; and had we been killed, all of it would be.
    await pool.query("UPDATE samples.run_group SET fresh = greatest(0, fresh - $2) WHERE group_id = $1", [groupId, fresh]);
  }
  return rows.length === RUNS_AT_ONCE;
}

/** Series of a run with enough small rows, or full ones, that no level above holds. */
async function findWork(pool: pg.Pool, groupId: number): Promise<readonly BlockOwner[]> {
  // Primary key: (group_id, series_id, attempt_id, up, …). Rows that are not folded are few.
  const { rows } = await pool.query<BlockOwner>(
    `SELECT DISTINCT series_id AS "seriesId", attempt_id AS "attemptId" FROM (
       SELECT series_id, attempt_id, level, count(*) AS many, sum(size) AS entries FROM samples.block WHERE group_id = $1 AND up = $2 AND NOT far GROUP BY 1, 2, 3
     ) AS small WHERE many >= $3 OR entries >= CASE WHEN level = 0 AND series_id > 0 THEN $4::int ELSE $5::int END ORDER BY 1, 2`,
    [groupId, NOT_FOLDED, MANY_ROWS, FULL_POINTS, FULL_CELLS],
  );
  return rows;
}

/** @returns what is left because a transaction does not take more rows; `all`: none that it took could be packed. */
async function packOwners(client: pg.ClientBase, groupId: number, owners: readonly BlockOwner[]): Promise<"nothing" | "some" | "all"> {
  const firstRow = await lockKnownGroup(client, groupId);
  // Deleted between our look at it and now: a lock that made its row anew would leave one that nobody ever removes.
  if (firstRow === null) return "nothing";
  const rows = await readBlocksFor(client, groupId, ownerTable(owners), `up = ${NOT_FOLDED} AND NOT far`, ROWS_AT_ONCE);
  const plans = owners.map((owner) =>
    planOwner(
      owner,
      rows.filter((row) => row.seriesId === owner.seriesId && row.attemptId === owner.attemptId),
    ),
  );
  const written = plans.flatMap((plan) => plan.written);
  const merged = plans.flatMap((plan) => plan.merged);
  const folded = plans.flatMap((plan) => plan.folded);
  // Both by row number: it is unique within a group, and the series narrows the index down.
  const series = owners.map((owner) => owner.seriesId);
  if (merged.length > 0)
    await client.query("DELETE FROM samples.block WHERE group_id = $1 AND series_id = ANY($2) AND up = $3 AND row_no = ANY($4)", [
      groupId,
      series,
      NOT_FOLDED,
      merged,
    ]);
  if (folded.length > 0) {
    await client.query(
      `UPDATE samples.block SET up = folded.up FROM unnest($4::bigint[], $5::smallint[]) AS folded (row_no, up)
       WHERE group_id = $1 AND series_id = ANY($2) AND block.up = $3 AND block.row_no = folded.row_no`,
      [groupId, series, NOT_FOLDED, folded.map((row) => row.rowNo), folded.map((row) => row.up)],
    );
  }
  await writeBlocks(client, groupId, firstRow, written);
  if (written.length > 0) await noteRows(client, groupId, written.length, 0);
  if (rows.length < ROWS_AT_ONCE) return "nothing";
  return merged.length + folded.length > 0 ? "some" : "all";
}

interface OwnerPlan {
  readonly written: Block[];
  /** Row numbers that the written ones take the place of. */
  readonly merged: number[];
  readonly folded: { readonly rowNo: number; readonly up: number }[];
}

/** Goes up the levels: each may give cells to the next. */
function planOwner(owner: BlockOwner, stored: readonly StoredBlock[]): OwnerPlan {
  const plan: OwnerPlan = { written: [], merged: [], folded: [] };
  const waiting = new Map<number, (StoredBlock | Block)[]>();
  for (const row of stored) waiting.set(row.level, [...(waiting.get(row.level) ?? []), row]);
  for (let level = nextLevel(waiting, -1); level !== undefined; level = nextLevel(waiting, level)) {
    packLevel(owner, level, waiting.get(level) ?? [], plan, (above, made) => waiting.set(above, [...(waiting.get(above) ?? []), made]));
  }
  return plan;
}

function nextLevel(waiting: ReadonlyMap<number, unknown>, after: number): number | undefined {
  const above = [...waiting.keys()].filter((level) => level > after);
  return above.length === 0 ? undefined : Math.min(...above);
}

function packLevel(
  owner: BlockOwner,
  level: number,
  rows: readonly (StoredBlock | Block)[],
  plan: OwnerPlan,
  give: (above: number, cells: Block) => void,
): void {
  const full = holdsPoints(owner, level) ? FULL_POINTS : FULL_CELLS;
  const whole = rows.filter((row) => row.size >= full);
  const small = rows.filter((row) => row.size < full);
  const together = small.length >= MANY_ROWS || small.reduce((sum, row) => sum + row.size, 0) >= full;
  const made = together ? joinRows(owner, level, small, full) : [];
  for (const row of together ? small : []) if (isStored(row)) plan.merged.push(row.rowNo);
  for (const row of [...whole, ...made.filter((each) => each.size >= full)]) {
    const [up, cells] = fold(row);
    if (isStored(row)) plan.folded.push({ rowNo: row.rowNo, up });
    else plan.written.push({ ...row, up });
    give(up, cellsBlock(owner, up, cells));
  }
  for (const row of [...(together ? [] : small), ...made.filter((each) => each.size < full)]) if (!isStored(row)) plan.written.push(row);
}

function isStored(row: StoredBlock | Block): row is StoredBlock {
  return "rowNo" in row;
}

/** A band has cells on every level, of one step each on the lowest. */
function holdsPoints({ seriesId }: BlockOwner, level: number): boolean {
  return level === 0 && !isBandSeries(seriesId);
}

/** All entries of the rows in order, cut into full rows and a rest. */
function joinRows(owner: BlockOwner, level: number, rows: readonly Block[], full: number): Block[] {
  const joined: Block[] = [];
  if (holdsPoints(owner, level)) {
    const points = mergePoints(rows.map((row) => decodePoints(row.data)));
    for (let at = 0; at < points.count; at += full) joined.push(pointsBlock(owner, slicePoints(points, at, at + full), false));
  } else {
    const parts = rows.map((row) => decodeCells(row.data));
    const cells = isBandSeries(owner.seriesId) ? joinByStretch(parts, level) : mergeCells(parts);
    for (let at = 0; at < cells.count; at += full) joined.push(cellsBlock(owner, level, sliceCells(cells, at, at + full)));
  }
  return joined;
}

/** Cells of the next level that say what `row` says, and which level that is. */
function fold(row: Block): [up: number, cells: Cells] {
  const gap = (row.hiStep - row.loStep) / Math.max(1, row.size - 1);
  const up = levelAbove(row.level, gap);
  if (isBandSeries(row.seriesId)) return [up, joinByStretch([decodeCells(row.data)], up)];
  return [up, row.level === 0 ? foldPoints(decodePoints(row.data), up) : foldCells(decodeCells(row.data), up)];
}

import type pg from "pg";
import { literal } from "../pool/index.ts";
import { type Block, type BlockOwner, NOT_FOLDED, pointsBlock, readBlocks, writeBlocks } from "./block.ts";
import { noteRows } from "./group.ts";
import { addHeads, headOf } from "./heads.ts";
import { type Points, decodePoints, mergePoints, pickPoints } from "./points.ts";

/** Stored points of some steps, ends included, that turned out to be far ones, or to be none. */
export interface Reflag {
  readonly from: BlockOwner;
  /** Where they go: the same place, or a writer of the same series. */
  readonly to: BlockOwner;
  readonly loStep: number;
  readonly hiStep: number;
  readonly far: boolean;
}

/**
 * Makes far points of others, or others of far points, under the group's lock. Points that have the flag already stay where they are.
 * @param firstRow number of the next row of the group.
 * @returns how many rows were written.
 */
export async function reflagSamples(client: pg.ClientBase, groupId: number, firstRow: number, reflag: Reflag): Promise<number> {
  const { from, to, far } = reflag;
  const owned = `series_id = ${literal.int(from.seriesId)} AND attempt_id = ${literal.int(from.attemptId)}`;
  const rows = await readBlocks(
    client,
    groupId,
    `${owned} AND level = 0 AND ${far ? "NOT far" : "far"} AND lo_step <= ${literal.float8(reflag.hiStep)} AND hi_step >= ${literal.float8(reflag.loStep)}`,
  );
  const parts = rows.map((row) => splitPoints(decodePoints(row.data), reflag));
  const moved = mergePoints(parts.map(({ inside }) => inside));
  if (moved.count === 0) return 0;
  const written: Block[] = [pointsBlock(to, moved, far)];
  for (const { outside } of parts) if (outside.count > 0) written.push(pointsBlock(from, outside, !far));
  await client.query(
    "DELETE FROM samples.block WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3 AND level = 0 AND row_no = ANY($4)",
    [groupId, from.seriesId, from.attemptId, rows.map((row) => row.rowNo)],
  );
  const unfolded = rows.some((row) => row.up !== NOT_FOLDED) ? await unfold(client, groupId, from) : 0;
  await writeBlocks(client, groupId, firstRow, written);
  await noteRows(client, groupId, written.length, written.length + unfolded);
  await addHeads(client, groupId, [headOf(to, moved, far)]);
  await takeFromHead(client, groupId, from, moved, !far);
  return written.length;
}

/** Cells say what their points said: where some of those are none of them any more, maintenance makes all cells of the place anew. */
async function unfold(client: pg.ClientBase, groupId: number, { seriesId, attemptId }: BlockOwner): Promise<number> {
  const place = [groupId, seriesId, attemptId];
  await client.query("DELETE FROM samples.block WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3 AND level > 0", place);
  const { rowCount } = await client.query(
    "UPDATE samples.block SET up = $4 WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3 AND level = 0 AND up <> $4",
    [...place, NOT_FOLDED],
  );
  return rowCount ?? 0;
}

/** Counts points out of a head, and reads its marks anew from the rows that are left. */
async function takeFromHead(client: pg.ClientBase, groupId: number, from: BlockOwner, gone: Points, wereFar: boolean): Promise<void> {
  const place = [groupId, from.seriesId, from.attemptId];
  const untimed = gone.timeMs.reduce((count, time) => count + (Number.isNaN(time) ? 1 : 0), 0);
  await client.query(
    `UPDATE samples.head SET points = head.points - $4, far_points = head.far_points - $5, untimed_points = head.untimed_points - $6,
       first_step = marks.first_step, last_step = marks.last_step, first_time_ms = marks.first_time_ms, last_time_ms = marks.last_time_ms
     FROM (SELECT min(lo_step) AS first_step, max(hi_step) AS last_step, min(lo_time_ms) AS first_time_ms, max(hi_time_ms) AS last_time_ms
       FROM samples.block WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3 AND level = 0 AND NOT far) AS marks
     WHERE head.group_id = $1 AND head.series_id = $2 AND head.attempt_id = $3`,
    [...place, gone.count, wereFar ? gone.count : 0, untimed],
  );
  await client.query("DELETE FROM samples.head WHERE group_id = $1 AND series_id = $2 AND attempt_id = $3 AND points <= 0", place);
}

function splitPoints(points: Points, { loStep, hiStep }: Reflag): { readonly inside: Points; readonly outside: Points } {
  const isInside = (step: number): boolean => step >= loStep && step <= hiStep;
  const places = [...points.step.keys()];
  return {
    inside: pickPoints(
      points,
      places.filter((place) => isInside(points.step[place] ?? 0)),
    ),
    outside: pickPoints(
      points,
      places.filter((place) => !isInside(points.step[place] ?? 0)),
    ),
  };
}

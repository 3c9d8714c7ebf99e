import type pg from "pg";
import { inTransaction, literal } from "../../pool/index.ts";
import { readBlocks, writeBlocks } from "../block.ts";
import { lockKnownGroup, noteRows } from "../group.ts";
import { decodePoints } from "../points.ts";
import { bandBlocks, stepCells } from "./band-cells.ts";
import { type Band, WHOLE, WIDE, insertBand, readBands, setThrough } from "./band-table.ts";

/** Series and points that a transaction takes into a band: pushes to the run wait for it. A single series may have more. */
const SERIES_AT_ONCE = 1024;
const POINTS_AT_ONCE = 262_144;

/**
 * Makes the bands that a run should have and that no push has begun: of lines that have become wide in small pushes, and of those whose points
 * have been moved. A series at a time joins, so that pushes go on meanwhile, and a kill leaves a band that goes on where it stood.
 */
export async function buildBands(pool: pg.Pool, groupId: number, stopped: () => boolean): Promise<void> {
  await beginBands(pool, groupId);
  for (const band of await readBands(pool, groupId)) {
    let goesOn = band.through !== WHOLE;
    while (goesOn && !stopped()) goesOn = await inTransaction(pool, "write", (client) => takeSeries(client, groupId, band));
  }
}

async function beginBands(pool: pg.Pool, groupId: number): Promise<void> {
  // Index: the run's series by run_id; their count spares looking at runs that cannot have any.
  const { rows: runs } = await pool.query("SELECT FROM run WHERE id = $1 AND series_count >= $2", [groupId, WIDE]);
  if (runs.length === 0 || (await missingBands(pool, groupId)).length === 0) return;
  await inTransaction(pool, "write", async (client) => {
    if ((await lockKnownGroup(client, groupId)) === null) return;
    // A push may have begun them meanwhile.
    for (const band of await missingBands(client, groupId)) await insertBand(client, groupId, band);
  });
}

async function missingBands(client: pg.ClientBase | pg.Pool, groupId: number): Promise<readonly Band[]> {
  const { rows } = await client.query<Band>(
    `SELECT band_id AS "bandId", attempt_id AS "attemptId", metric, shared, 0 AS through FROM (
       SELECT min(series.id) AS band_id, head.attempt_id, series.metric, series.labels - 'rank' AS shared
       FROM series CROSS JOIN LATERAL (SELECT attempt_id FROM samples.head WHERE group_id = $1 AND series_id = series.id OFFSET 0) AS head
       WHERE series.run_id = $1 AND series.labels ? 'rank' GROUP BY 2, 3, 4 HAVING count(*) >= $2
     ) AS wide
     WHERE NOT EXISTS (SELECT FROM samples.band WHERE band.group_id = $1 AND band.attempt_id = wide.attempt_id AND band.metric = wide.metric AND band.shared = wide.shared)`,
    [groupId, WIDE],
  );
  return rows;
}

/** @returns whether there are more series to take. */
async function takeSeries(client: pg.ClientBase, groupId: number, asked: Band): Promise<boolean> {
  const firstRow = await lockKnownGroup(client, groupId);
  if (firstRow === null) return false;
  // Emptied meanwhile, it begins anew.
  const band = (await readBands(client, groupId)).find(({ bandId, attemptId }) => bandId === asked.bandId && attemptId === asked.attemptId);
  if (band === undefined || band.through === WHOLE) return false;
  const next = await nextSeries(client, groupId, band);
  const last = next.at(-1);
  if (last === undefined) {
    await setThrough(client, groupId, band, band.through === 0 ? null : WHOLE);
    return false;
  }
  const written = await writeBand(client, groupId, firstRow, band, next);
  if (written > 0) await noteRows(client, groupId, written, written);
  await setThrough(client, groupId, band, last);
  return true;
}

async function nextSeries(client: pg.ClientBase, groupId: number, band: Band): Promise<readonly number[]> {
  const { rows } = await client.query<{ id: number; points: number }>(
    `SELECT series_id AS id, points FROM samples.head WHERE group_id = $1 AND attempt_id = $2 AND series_id = ANY(ARRAY(
       SELECT id FROM series WHERE run_id = $1 AND metric = $3 AND labels - 'rank' = $4 AND labels ? 'rank' AND id > $5)) ORDER BY series_id LIMIT $6`,
    [groupId, band.attemptId, band.metric, JSON.stringify(band.shared), band.through, SERIES_AT_ONCE],
  );
  const taken: number[] = [];
  let points = 0;
  for (const row of rows) {
    points += row.points;
    if (taken.length > 0 && points > POINTS_AT_ONCE) break;
    taken.push(row.id);
  }
  return taken;
}

/** Rows of the series, so many at a time that their points fit in memory. */
async function writeBand(
  client: pg.ClientBase,
  groupId: number,
  firstRow: number,
  band: Band,
  seriesIds: readonly number[],
): Promise<number> {
  const where = `series_id = ANY(${literal.ints(seriesIds)}) AND attempt_id = ${literal.int(band.attemptId)} AND level = 0 AND NOT far`;
  const { rows } = await client.query<{ rowNo: number; size: number }>(
    `SELECT row_no::float8 AS "rowNo", size FROM samples.block WHERE group_id = ${literal.int(groupId)} AND ${where} ORDER BY lo_step, row_no`,
  );
  let written = 0;
  for (let at = 0; at < rows.length;) {
    const chosen: number[] = [];
    for (let points = 0; at < rows.length && points < POINTS_AT_ONCE; at++) {
      points += rows[at]?.size ?? 0;
      chosen.push(rows[at]?.rowNo ?? 0);
    }
    const blocks = await readBlocks(client, groupId, `${where} AND row_no = ANY(${literal.float8s(chosen)})`);
    const made = bandBlocks(band, stepCells(blocks.map(({ data }) => decodePoints(data))));
    await writeBlocks(client, groupId, firstRow + written, made);
    written += made.length;
  }
  return written;
}

import type pg from "pg";
import { literal } from "../pool/index.ts";
import { type StoredBlock, readBlocks } from "./block.ts";

/** A row of points without them. */
export interface ArrivalRow extends Pick<StoredBlock, "rowNo" | "attemptId" | "loStep" | "hiStep" | "loArrival" | "hiArrival" | "size"> {}

export interface ArrivalRowsQuestion {
  readonly groupId: number;
  readonly seriesIds: readonly number[];
}

const COLUMNS = `row_no::float8 AS "rowNo", attempt_id AS "attemptId", lo_step AS "loStep", hi_step AS "hiStep", lo_arrival AS "loArrival", hi_arrival AS "hiArrival", size`;
/** Index: (group_id, hi_arrival, lo_arrival) where level = 0. */
const WATCHED = "group_id = $1 AND level = 0 AND series_id = ANY($2) AND NOT far";

/** The first rows with points of pushes after `after`, in the order of their newest push. */
export async function rowsAfter(
  client: pg.ClientBase,
  { groupId, seriesIds }: ArrivalRowsQuestion,
  after: number,
  limit: number,
): Promise<readonly ArrivalRow[]> {
  const { rows } = await client.query<ArrivalRow>(
    `SELECT ${COLUMNS} FROM samples.block WHERE ${WATCHED} AND hi_arrival > $3 ORDER BY hi_arrival LIMIT $4`,
    [groupId, seriesIds, after, limit],
  );
  return rows;
}

/** Every row that holds nothing but points of one push. */
export async function rowsOfPush(
  client: pg.ClientBase,
  { groupId, seriesIds }: ArrivalRowsQuestion,
  arrival: number,
): Promise<readonly ArrivalRow[]> {
  const { rows } = await client.query<ArrivalRow>(
    `SELECT ${COLUMNS} FROM samples.block WHERE ${WATCHED} AND hi_arrival = $3 AND lo_arrival = $3`,
    [groupId, seriesIds, arrival],
  );
  return rows;
}

/** Rows with points of the pushes after `after` up to `through`, and perhaps of others, points and all. */
export function readArrivals(
  client: pg.ClientBase,
  { groupId, seriesIds }: ArrivalRowsQuestion,
  after: number,
  through: number,
): Promise<readonly StoredBlock[]> {
  return readBlocks(
    client,
    groupId,
    `${watched(seriesIds)} AND hi_arrival > ${literal.float8(after)} AND lo_arrival <= ${literal.float8(through)}`,
  );
}

/** Of the rows with points of one push those that hold points of others too. */
export function readShared(
  client: pg.ClientBase,
  { groupId, seriesIds }: ArrivalRowsQuestion,
  arrival: number,
): Promise<readonly StoredBlock[]> {
  const at = literal.float8(arrival);
  return readBlocks(client, groupId, `${watched(seriesIds)} AND hi_arrival >= ${at} AND lo_arrival <= ${at} AND hi_arrival > lo_arrival`);
}

/** Rows of one push by their numbers. */
export function readOfPush(
  client: pg.ClientBase,
  { groupId, seriesIds }: ArrivalRowsQuestion,
  arrival: number,
  rowNos: readonly number[],
): Promise<readonly StoredBlock[]> {
  const at = literal.float8(arrival);
  return readBlocks(
    client,
    groupId,
    `${watched(seriesIds)} AND hi_arrival = ${at} AND lo_arrival = ${at} AND row_no = ANY(${literal.float8s(rowNos)})`,
  );
}

function watched(seriesIds: readonly number[]): string {
  return `level = 0 AND series_id = ANY(${literal.ints(seriesIds)}) AND NOT far`;
}

import type pg from "pg";
import { type TailRow, windowOf } from "../contract.ts";
import { tailRowBytes, writeTailRow } from "../tail-row.ts";

/** Rows by group and time: two statements that wait for each other's rows then do so in one order, and never in a circle. */
export function byGroupAndTime(a: Pick<TailRow, "groupId" | "timeMs">, b: Pick<TailRow, "groupId" | "timeMs">): number {
  return a.groupId - b.groupId || a.timeMs - b.timeMs;
}

/**
 * One statement, one transaction, one fsync. A row goes in as part 0 of its group and time, so that of two writers the primary key lets one
 * through, in whatever process they are; its window is share-locked, so that whoever closes it waits for us and finds our rows, or we find it closed.
 * What did not go in comes back.
 * - `EXCEPT` hashes; an anti-join of two lists whose lengths the planner does not know may become a loop in a loop.
 */
const INSERT = `
WITH open_window AS (SELECT window_no FROM samples.fleet_window WHERE window_no = ANY($6::int[]) AND state = 'open' ORDER BY window_no FOR SHARE),
given AS MATERIALIZED (SELECT * FROM unnest($2::int[], $3::float8[], $4::int[], $5::int[], $7::int[]) AS g(group_id, time_ms, at, length, window_no)),
done AS (
  INSERT INTO samples.fleet_tail (group_id, time_ms, part, data)
  SELECT group_id, time_ms, 0, substring($1::bytea, at, length) FROM given WHERE window_no IN (SELECT window_no FROM open_window)
  ON CONFLICT DO NOTHING RETURNING group_id, time_ms)
SELECT group_id, time_ms FROM given EXCEPT SELECT group_id, time_ms FROM done`;

/**
 * Inserts rows whose windows exist, sorted by `byGroupAndTime` and with no two of one group and time. Answers the indices of those that are not
 * in: something of that group and time is stored already, or its window is not open.
 */
export async function insertFast(pool: pg.Pool, rows: readonly TailRow[]): Promise<readonly number[]> {
  const data = Buffer.allocUnsafe(rows.reduce((sum, row) => sum + tailRowBytes(row.slots), 0));
  const at: number[] = [];
  const length: number[] = [];
  const windows: number[] = [];
  let end = 0;
  for (const row of rows) {
    const from = end;
    end = writeTailRow(data, from, row);
    at.push(from + 1);
    length.push(end - from);
    windows.push(windowOf(row.timeMs));
  }
  const { rows: left } = await pool.query<{ group_id: number; time_ms: number }>({
    name: "fleet-tail-insert",
    text: INSERT,
    values: [
      data,
      list(rows.map((row) => row.groupId)),
      list(rows.map((row) => row.timeMs)),
      list(at),
      list(length),
      list([...new Set(windows)]),
      list(windows),
    ],
  });
  if (left.length === 0) return [];
  const missing = new Set(left.map((row) => `${row.group_id} ${row.time_ms}`));
  return rows.flatMap((row, index) => (missing.has(`${row.groupId} ${row.timeMs}`) ? [index] : []));
}

/** As the driver would write it, without asking each number whether it must be quoted. */
function list(numbers: readonly number[]): string {
  return `{${numbers.join(",")}}`;
}

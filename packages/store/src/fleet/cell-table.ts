import type pg from "pg";
import { literal, readRows } from "../pool/index.ts";
import { joined } from "./block-table.ts";
import { decodeCells, encodeCells } from "./cell-codec.ts";
import { type FleetBuckets, WINDOW_MS } from "./contract.ts";

/** Cells of level 1 hold a window; those of level 2 a span of so many, which begins at a multiple of it. */
export const SPAN_WINDOWS = 64;
export type CellLevel = 1 | 2;

export interface CellRow {
  readonly groupId: number;
  readonly section: number;
  readonly level: CellLevel;
  /** The first window that it holds. */
  readonly windowNo: number;
  readonly cells: FleetBuckets;
}

export function spanOf(windowNo: number): number {
  return Math.floor(windowNo / SPAN_WINDOWS) * SPAN_WINDOWS;
}

/** Adds cells; `replace` takes the place of those that are there, else they stay. Empty ones are left out. */
export async function writeCells(
  client: pg.ClientBase,
  rows: readonly CellRow[],
  { replace }: { readonly replace: boolean },
): Promise<void> {
  const filled = rows.flatMap((row) => {
    const data = encodeCells(row.cells, row.windowNo * WINDOW_MS);
    return data === null ? [] : [{ ...row, data }];
  });
  if (filled.length === 0) return;
  const { data, at, length } = joined(filled);
  await client.query(
    `INSERT INTO samples.fleet_cell (group_id, section, level, window_no, data)
     SELECT group_id, section, level, window_no, substring($1::bytea, at, length)
     FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[]) AS c(group_id, section, level, window_no, at, length)
     ON CONFLICT ${replace ? "(group_id, section, level, window_no) DO UPDATE SET data = excluded.data" : "DO NOTHING"}`,
    [
      data,
      filled.map((row) => row.groupId),
      filled.map((row) => row.section),
      filled.map((row) => row.level),
      filled.map((row) => row.windowNo),
      at,
      length,
    ],
  );
}

/** Cells of one group over [fromWindow, toWindow), by section and window, through the primary key. */
export async function readCells(
  client: pg.ClientBase,
  groupId: number,
  { level, fromWindow, toWindow, sections }: { level: CellLevel; fromWindow: number; toWindow: number; sections: readonly number[] | null },
): Promise<readonly CellRow[]> {
  const only = sections === null ? "" : `AND section = ANY(${literal.ints(sections)})`;
  return readRows(
    client,
    `SELECT section, window_no, data FROM samples.fleet_cell
     WHERE group_id = ${literal.int(groupId)} ${only} AND level = ${literal.int(level)}
       AND window_no >= ${literal.int(fromWindow)} AND window_no < ${literal.int(toWindow)} ORDER BY section, window_no`,
    (row) => {
      const [section, windowNo] = [row.int2(), row.int4()];
      return { groupId, section, level, windowNo, cells: decodeCells(row.bytea(), windowNo * WINDOW_MS) };
    },
  );
}

import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { addCell, emptyBuckets } from "./cell.ts";
import { type CellRow, readCells, SPAN_WINDOWS, writeCells } from "./cell-table.ts";
import { type FleetBuckets, SECTION_SLOTS } from "./contract.ts";
import { LOCKS } from "./locks.ts";
import type { Pace } from "./pack-pace.ts";

const GROUPS_AT_ONCE = 16;
/** A span is over once a window exists that lies so far behind its end. */
export const SPAN_MARGIN = 2;

/** A span whose cells of level 2 are missing or lack a window. */
export interface SpanWork {
  readonly span: number;
  /** Those that are packed: level 2 is to count in exactly these. */
  readonly windows: readonly number[];
}

/** The oldest span that is over and holds a packed window which level 2 does not count in, as long as nothing of it waits to be packed. */
export async function spanToFold(pool: pg.Pool): Promise<SpanWork | null> {
  const { rows } = await pool.query<{ span: number; windows: number[] }>(
    `SELECT span, array_agg(window_no ORDER BY window_no) AS windows
     FROM (SELECT window_no, state, folded, floor(window_no / $1::float8)::int * $1::int AS span FROM samples.fleet_window) w
     WHERE span + $1 + ${SPAN_MARGIN} <= (SELECT max(window_no) FROM samples.fleet_window)
     GROUP BY span HAVING bool_and(state = 'packed') AND NOT bool_and(folded) ORDER BY span LIMIT 1`,
    [SPAN_WINDOWS],
  );
  return rows[0] ?? null;
}

/** Folds the next groups. @returns the last of them; null where there was none left, and the span is marked as folded */
export async function foldGroups(pool: pg.Pool, { span, windows }: SpanWork, afterGroup: number, pace: Pace): Promise<number | null> {
  const counted = new Set(windows);
  return inTransaction(pool, "write", async (client) => {
    const { rows } = await client.query<{ groupId: number }>(
      `SELECT group_id AS "groupId" FROM samples.fleet_group WHERE group_id > $1 ORDER BY group_id LIMIT $2`,
      [afterGroup, GROUPS_AT_ONCE],
    );
    for (const { groupId } of rows) {
      await pace.rest();
      await client.query("SELECT pg_advisory_xact_lock($1, $2)", [LOCKS.fleetGroup, groupId]);
      const cells = await readCells(client, groupId, { level: 1, fromWindow: span, toWindow: span + SPAN_WINDOWS, sections: null });
      await writeCells(client, foldCells(cells.filter(({ windowNo }) => counted.has(windowNo))), { replace: true });
    }
    const last = rows.at(-1)?.groupId ?? null;
    if (last === null) await client.query("UPDATE samples.fleet_window SET folded = true WHERE window_no = ANY($1::int[])", [windows]);
    return last;
  });
}

/** Cells of level 1 of one span and group, by section and window, as cells of level 2. */
export function foldCells(rows: readonly CellRow[]): CellRow[] {
  const folded = new Map<number, CellRow>();
  for (const { groupId, section, windowNo, cells } of rows) {
    const into = folded.get(section) ?? {
      groupId,
      section,
      level: 2,
      windowNo: Math.floor(windowNo / SPAN_WINDOWS) * SPAN_WINDOWS,
      cells: emptyBuckets(SECTION_SLOTS),
    };
    folded.set(section, into);
    addSection(into.cells, cells);
  }
  return [...folded.values()];
}

function addSection(into: FleetBuckets, cells: FleetBuckets): void {
  for (let slot = 0; slot < SECTION_SLOTS; slot++) addCell(into, slot, cells, slot);
}

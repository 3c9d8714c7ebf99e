import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { encodeBlock, type SectionReadings } from "./block-codec.ts";
import { mergeSections } from "./block-rows.ts";
import { type BlockRow, insertBlocks, readGroupBlocks, sectionOfBlock } from "./block-table.ts";
import { type CellRow, readCells, SPAN_WINDOWS, spanOf, writeCells } from "./cell-table.ts";
import { LOCKS } from "./locks.ts";
import { cellRow, type PackFault, readFields } from "./pack-group.ts";
import type { Pace } from "./pack-pace.ts";
import { foldCells, SPAN_MARGIN } from "./pack-span.ts";

export interface LatePart {
  readonly groupId: number;
  readonly windowNo: number;
}

/** Groups that something came late for, in windows that are packed. Index: fleet_block_late_idx, which holds nothing else. */
export async function lateParts(pool: pg.Pool, limit: number): Promise<readonly LatePart[]> {
  const { rows } = await pool.query<LatePart>(
    `SELECT DISTINCT group_id AS "groupId", window_no AS "windowNo" FROM samples.fleet_block b
     WHERE part > 0 AND window_no IN (SELECT window_no FROM samples.fleet_window WHERE state = 'packed') LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Puts the late parts of a group in a window together with what was packed, and says in the cells what they change. One transaction. @returns a fault where a block is damaged, and nothing was done */
export async function mergeLate(pool: pg.Pool, { groupId, windowNo }: LatePart, pace: Pace): Promise<PackFault | null> {
  return inTransaction(pool, "write", async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1, $2)", [LOCKS.fleetGroup, groupId]);
    const { rows: late } = await client.query<{ section: number }>(
      "SELECT DISTINCT section FROM samples.fleet_block WHERE group_id = $1 AND window_no = $2 AND part > 0",
      [groupId, windowNo],
    );
    const sections = late.map(({ section }) => section);
    if (sections.length === 0) return null;
    const stored = await readGroupBlocks(client, groupId, windowNo, sections);
    const fields = await readFields(client, groupId);
    const known = await knownCells(client, groupId, windowNo);
    const blocks: BlockRow[] = [];
    const cells: CellRow[] = [];
    for (const section of sections) {
      await pace.rest();
      // Retention has taken the rest, and takes these now: cells of them alone would say less than those that are there.
      if (known.has(section) && !stored.some((row) => row.section === section && row.part === 0)) continue;
      const merged = readBlocks(stored.filter((row) => row.section === section));
      if ("why" in merged) return { groupId, windowNo, why: merged.why };
      const { readings } = merged;
      const data = encodeBlock(readings);
      if (data === null) continue;
      blocks.push({ groupId, section, windowNo, part: 0, data });
      cells.push(cellRow(groupId, section, windowNo, readings, fields));
    }
    await client.query("DELETE FROM samples.fleet_block WHERE group_id = $1 AND window_no = $2 AND section = ANY($3::int[])", [
      groupId,
      windowNo,
      sections,
    ]);
    await insertBlocks(client, blocks);
    await writeCells(client, cells, { replace: true });
    await foldAgain(client, groupId, windowNo, sections);
    return null;
  });
}

/** Blocks of one section put together, or why they cannot be read. */
function readBlocks(rows: readonly BlockRow[]): { readonly readings: SectionReadings } | { readonly why: string } {
  try {
    return { readings: mergeSections(rows.map(({ data }) => sectionOfBlock(data))) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

async function knownCells(client: pg.ClientBase, groupId: number, windowNo: number): Promise<ReadonlySet<number>> {
  const { rows } = await client.query<{ section: number }>(
    "SELECT section FROM samples.fleet_cell WHERE group_id = $1 AND level = 1 AND window_no = $2",
    [groupId, windowNo],
  );
  return new Set(rows.map(({ section }) => section));
}

/**
 * Cells of level 2, where the span is over and they may have been written: also while they are being folded, group by group, so that the window
 * is not marked as folded yet. Nobody reads them before every window of the span is.
 */
async function foldAgain(client: pg.ClientBase, groupId: number, windowNo: number, sections: readonly number[]): Promise<void> {
  const span = spanOf(windowNo);
  const { rows } = await client.query<{ windowNo: number }>(
    `SELECT window_no AS "windowNo" FROM samples.fleet_window WHERE window_no >= $1 AND window_no < $2 AND state = 'packed'
       AND $2 + ${SPAN_MARGIN} <= (SELECT max(window_no) FROM samples.fleet_window)`,
    [span, span + SPAN_WINDOWS],
  );
  if (rows.length === 0) return;
  const packed = new Set(rows.map((row) => row.windowNo));
  const cells = await readCells(client, groupId, { level: 1, fromWindow: span, toWindow: span + SPAN_WINDOWS, sections });
  await writeCells(client, foldCells(cells.filter((row) => packed.has(row.windowNo))), { replace: true });
}

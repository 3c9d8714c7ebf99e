import { type FleetField, fieldOf } from "@trainwatch/core";
import type pg from "pg";
import { literal, readRows } from "../pool/index.ts";
import { encodeBlock, type SectionReadings } from "./block-codec.ts";
import { sectionOfRows, type TimedRuns, timedRuns } from "./block-rows.ts";
import type { BlockRow } from "./block-table.ts";
import { cellsOfSection } from "./cell-section.ts";
import type { CellRow } from "./cell-table.ts";
import { GROUP_SLOTS, SECTION_SLOTS, WINDOW_MS } from "./contract.ts";
import type { Pace } from "./pack-pace.ts";

export interface PackedGroup {
  readonly blocks: readonly BlockRow[];
  readonly cells: readonly CellRow[];
}

/** A group of a window whose readings cannot be packed, and why. */
export interface PackFault {
  readonly groupId: number;
  readonly windowNo: number;
  readonly why: string;
}

/** Blocks and cells of all that the tail has of one group in a window; a fault where a row of it is damaged. */
export async function packGroup(client: pg.ClientBase, groupId: number, windowNo: number, pace: Pace): Promise<PackedGroup | PackFault> {
  const fields = await readFields(client, groupId);
  const rows = await readRows(
    client,
    // Primary key of the one partition.
    `SELECT time_ms, data FROM samples.fleet_tail WHERE group_id = ${literal.int(groupId)}
       AND time_ms >= ${literal.float8(windowNo * WINDOW_MS)} AND time_ms < ${literal.float8((windowNo + 1) * WINDOW_MS)} ORDER BY time_ms, part`,
    (row) => ({ timeMs: row.float8(), data: row.bytea() }),
  );
  try {
    return await packRows(
      rows.map(({ timeMs, data }) => timedRuns(timeMs, data)),
      groupId,
      windowNo,
      fields,
      pace,
    );
  } catch (error) {
    // Nothing is asked of the database here: it is what the rows hold.
    return { groupId, windowNo, why: error instanceof Error ? error.message : String(error) };
  }
}

async function packRows(
  rows: readonly TimedRuns[],
  groupId: number,
  windowNo: number,
  fields: FieldOfSlot,
  pace: Pace,
): Promise<PackedGroup> {
  const blocks: BlockRow[] = [];
  const cells: CellRow[] = [];
  for (let section = 0; section < GROUP_SLOTS / SECTION_SLOTS; section++) {
    await pace.rest();
    const readings = sectionOfRows(rows, section);
    const data = readings === null ? null : encodeBlock(readings);
    if (readings === null || data === null) continue;
    blocks.push({ groupId, section, windowNo, part: 0, data });
    cells.push(cellRow(groupId, section, windowNo, readings, fields));
  }
  return { blocks, cells };
}

export type FieldOfSlot = (slot: number) => FleetField | null;

export function cellRow(groupId: number, section: number, windowNo: number, readings: SectionReadings, fields: FieldOfSlot): CellRow {
  return { groupId, section, windowNo, level: 1, cells: cellsOfSection(readings, (slot) => fields(section * SECTION_SLOTS + slot)) };
}

/** By what the values of each slot of a group are judged. */
export async function readFields(client: pg.ClientBase | pg.Pool, groupId: number): Promise<FieldOfSlot> {
  const { rows } = await client.query<{ slot: number; metric: string }>(
    "SELECT slot, metric FROM samples.fleet_series WHERE group_id = $1",
    [groupId],
  );
  const metrics = new Map(rows.map(({ slot, metric }) => [slot, fieldOf(metric)]));
  return (slot) => metrics.get(slot) ?? null;
}

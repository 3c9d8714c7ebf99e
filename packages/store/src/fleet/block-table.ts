import type pg from "pg";
import { literal, readRows } from "../pool/index.ts";
import { decodeBlock, type SectionReadings } from "./block-codec.ts";
import { SECTION_SLOTS } from "./contract.ts";

/** Part 0 is the packed tail of the window; later parts came late. */
export interface BlockKey {
  readonly groupId: number;
  readonly section: number;
  readonly windowNo: number;
  readonly part: number;
}

export interface BlockRow extends BlockKey {
  readonly data: Buffer;
}

/**
 * Adds rows; those whose key is there already stay as they are. The bytes go as one parameter that is cut up there: the driver would write a
 * list of them as text, twice as long.
 */
export async function insertBlocks(client: pg.ClientBase, rows: readonly BlockRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { data, at, length } = joined(rows);
  await client.query({
    name: "fleet-block-insert",
    text: `INSERT INTO samples.fleet_block (group_id, section, window_no, part, data)
      SELECT group_id, section, window_no, part, substring($1::bytea, at, length)
      FROM unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[]) AS b(group_id, section, window_no, part, at, length)
      ON CONFLICT DO NOTHING`,
    values: [
      data,
      rows.map((row) => row.groupId),
      rows.map((row) => row.section),
      rows.map((row) => row.windowNo),
      rows.map((row) => row.part),
      at,
      length,
    ],
  });
}

/** Payloads one behind the other, with where each begins (counted from 1, as SQL does) and how long it is. */
export function joined(rows: readonly { readonly data: Buffer }[]): {
  readonly data: Buffer;
  readonly at: readonly number[];
  readonly length: readonly number[];
} {
  const length = rows.map((row) => row.data.length);
  let end = 1;
  const at = length.map((bytes) => (end += bytes) - bytes);
  return { data: Buffer.concat(rows.map((row) => row.data)), at, length };
}

/** All blocks of a group in a window; of these sections only, where they are given. By section and part, through the primary key. */
export async function readGroupBlocks(
  client: pg.ClientBase,
  groupId: number,
  windowNo: number,
  sections?: readonly number[],
): Promise<readonly BlockRow[]> {
  const only = sections === undefined ? "" : `AND section = ANY(${literal.ints(sections)})`;
  return readRows(
    client,
    `SELECT section, part, data FROM samples.fleet_block
     WHERE group_id = ${literal.int(groupId)} AND window_no = ${literal.int(windowNo)} ${only} ORDER BY section, part`,
    (row) => ({ groupId, windowNo, section: row.int2(), part: row.int2(), data: row.bytea() }),
  );
}

/** Slots of a block unpacked: those whose bit is set in `mask`. */
export function sectionOfBlock(data: Buffer, mask = 0xff): SectionReadings {
  const packed = decodeBlock(data);
  return {
    times: packed.times,
    slots: Array.from({ length: SECTION_SLOTS }, (_, slot) => ((mask & (1 << slot)) === 0 ? null : packed.slot(slot))),
  };
}

import type pg from "pg";
import { HAS } from "../block-column.ts";
import { readGroupBlocks, sectionOfBlock } from "../block-table.ts";
import { SECTION_SLOTS } from "../contract.ts";
import { decodeTailRow } from "../tail-row.ts";
import { double, NAN, STALE } from "./rows.fixture.ts";

/** All that the tail holds, `group time slot` to the bits as hexadecimal; a reading that is stored twice is listed twice. */
export async function tailContent(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ group_id: number; time_ms: number; data: Buffer }>(
    "SELECT group_id, time_ms, data FROM samples.fleet_tail",
  );
  return rows
    .flatMap(({ group_id, time_ms, data }) => {
      const { slots, values } = decodeTailRow(data);
      return [...slots].map((slot, index) => line(group_id, time_ms, slot, values.subarray(8 * index, 8 * index + 8)));
    })
    .sort();
}

/** All that the blocks of packed windows hold, in the same form; any NaN that is a value reads as `NAN`. */
export async function packedContent(pool: pg.Pool): Promise<readonly string[]> {
  const { rows: places } = await pool.query<{ groupId: number; windowNo: number }>(
    'SELECT DISTINCT group_id AS "groupId", window_no AS "windowNo" FROM samples.fleet_block',
  );
  const client = await pool.connect();
  try {
    const lines: string[] = [];
    for (const { groupId, windowNo } of places) {
      for (const { section, data } of await readGroupBlocks(client, groupId, windowNo)) {
        const { times, slots } = sectionOfBlock(data);
        slots.forEach((readings, slot) => {
          times.forEach((timeMs, at) => {
            if (readings === null || readings.has[at] === HAS.none) return;
            const value = readings.values[at] ?? 0;
            const bits = readings.has[at] === HAS.stale ? STALE : Number.isNaN(value) ? NAN : double(value);
            lines.push(line(groupId, timeMs, section * SECTION_SLOTS + slot, bits));
          });
        });
      }
    }
    return lines.sort();
  } finally {
    client.release();
  }
}

export function line(groupId: number, timeMs: number, slot: number, bits: Uint8Array): string {
  return `${groupId} ${timeMs} ${slot} ${Buffer.from(bits).toString("hex")}`;
}

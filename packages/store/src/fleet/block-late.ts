import { STALE_HIGH_BITS, STALE_LOW_BITS } from "@trainwatch/core";
import type pg from "pg";
import { encodeBlock, type SectionReadings } from "./block-codec.ts";
import { HAS } from "./block-column.ts";
import { ensurePartitions } from "./block-partitions.ts";
import { sectionOfRows, type TimedRuns } from "./block-rows.ts";
import { insertBlocks, readGroupBlocks, sectionOfBlock } from "./block-table.ts";
import { GROUP_SLOTS, SECTION_SLOTS } from "./contract.ts";
import { READING_BYTES, type TailRun } from "./tail-row.ts";
import type { LateBlocks, TimedReadings } from "./write/late-blocks.ts";

/** What comes for a window that is closed: a part of its own in each section it touches, until maintenance puts it together with the rest. */
export const lateBlocks: LateBlocks = {
  async read(client, groupId, windowNo, timesMs) {
    const wanted = new Set(timesMs);
    const blocks = await readGroupBlocks(client, groupId, windowNo);
    return blocks.flatMap(({ section, data }) => readingsAt(sectionOfBlock(data), section, wanted));
  },

  async write(client, groupId, windowNo, readings) {
    await ensurePartitions(client, windowNo);
    const rows = readings.map(timedRunsOf);
    const next = await nextParts(client, groupId, windowNo);
    const blocks = Array.from({ length: GROUP_SLOTS / SECTION_SLOTS }, (_, section) => {
      const late = sectionOfRows(rows, section);
      const data = late === null ? null : encodeBlock(late);
      return data === null ? [] : [{ groupId, section, windowNo, part: next.get(section) ?? 1, data }];
    });
    await insertBlocks(client, blocks.flat());
  },
};

/** Nobody else writes late parts of the group meanwhile. */
async function nextParts(client: pg.ClientBase, groupId: number, windowNo: number): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ section: number; next: number }>(
    "SELECT section, max(part) + 1 AS next FROM samples.fleet_block WHERE group_id = $1 AND window_no = $2 AND part > 0 GROUP BY section",
    [groupId, windowNo],
  );
  return new Map(rows.map(({ section, next }) => [section, next]));
}

function timedRunsOf({ timeMs, slots, values }: TimedReadings): TimedRuns {
  const runs: TailRun[] = [];
  for (let from = 0; from < slots.length;) {
    const first = slots[from] ?? 0;
    let to = from + 1;
    while (to < slots.length && slots[to] === first + to - from) to++;
    runs.push({ first, length: to - from, at: READING_BYTES * from });
    from = to;
  }
  return { timeMs, view: new DataView(values.buffer, values.byteOffset, values.byteLength), runs };
}

function readingsAt({ times, slots }: SectionReadings, section: number, wanted: ReadonlySet<number>): TimedReadings[] {
  const found: TimedReadings[] = [];
  times.forEach((timeMs, at) => {
    if (!wanted.has(timeMs)) return;
    const present = slots.flatMap((readings, slot) => (readings === null || readings.has[at] === HAS.none ? [] : [{ slot, readings }]));
    const values = new Uint8Array(READING_BYTES * present.length);
    const view = new DataView(values.buffer);
    present.forEach(({ readings }, index) => {
      if (readings.has[at] === HAS.stale) {
        view.setUint32(READING_BYTES * index, STALE_LOW_BITS, true);
        view.setUint32(READING_BYTES * index + 4, STALE_HIGH_BITS, true);
      } else view.setFloat64(READING_BYTES * index, readings.values[at] ?? 0, true);
    });
    found.push({ timeMs, slots: Uint16Array.from(present, ({ slot }) => section * SECTION_SLOTS + slot), values });
  });
  return found;
}

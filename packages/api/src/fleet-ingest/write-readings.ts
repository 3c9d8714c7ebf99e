import type { TailRow, WriteOutcome } from "@trainwatch/store";
import type { FleetIngestParts } from "./fleet-ingest-parts.ts";
import { createRefusals } from "./refusals.ts";
import type { KnownSeries } from "./series-book.ts";
import type { Fault } from "./series-fault.ts";
import type { TimeBounds } from "./time-bounds.ts";

/** Readings of any series at any times; columns of one length. */
export interface Readings {
  readonly series: readonly KnownSeries[];
  /** Epoch milliseconds. */
  readonly timesMs: Float64Array;
  /** Little-endian doubles, 8 bytes each: bits as sent (B8). */
  readonly values: Uint8Array;
}

export interface ReadingsAnswer {
  readonly accepted: number;
  /** Stored before with the same value. */
  readonly repeated: number;
  /** Listed to 1,000; `index` counts in the columns that were given. */
  readonly refused: readonly (Fault & { readonly index: number })[];
  readonly refusedTotal: number;
}

const CONFLICT = { code: "conflict", message: "Another value is stored at this time; the first stays." } as const;
const BYTES = 8;

/** One row of the tail in the making: places of its readings in the columns. */
interface Gathered {
  readonly groupId: number;
  readonly timeMs: number;
  readonly indices: number[];
}

/**
 * Stores readings. What it answers is on disk.
 * @param refusedBefore readings that the caller has refused itself (labels, names): they belong to the same count
 * @throws AppError `unavailable` where the database is away or behind
 */
export async function writeReadings(
  { writer, timeBounds, tally }: Pick<FleetIngestParts, "writer" | "timeBounds" | "tally">,
  readings: Readings,
  refusedBefore = 0,
): Promise<ReadingsAnswer> {
  const bounds = await timeBounds();
  const refusals = createRefusals<Fault & { readonly index: number }>();
  const gathered = gather(readings, bounds, (index, fault) => refusals.add(1, () => [{ index, ...fault }]));
  const cut = gathered.flatMap((row) => cutRows(row, readings));
  const stored: WriteOutcome =
    cut.length === 0 ? { accepted: 0, repeated: 0, conflicts: [] } : await writer.write(cut.map(({ row }) => row));
  for (const { row, slot } of stored.conflicts) {
    const from = cut[row];
    const index = from?.indices[from.row.slots.indexOf(slot)];
    if (index === undefined) throw new Error(`the store speaks of row ${row}, slot ${slot}, which was not sent`);
    refusals.add(1, () => [{ index, ...CONFLICT }]);
  }
  const { accepted, repeated } = stored;
  tally.add({ accepted, repeated, refused: refusals.total() + refusedBefore });
  return { accepted, repeated, refused: refusals.listed(), refusedTotal: refusals.total() };
}

function gather({ series, timesMs }: Readings, bounds: TimeBounds, refuse: (index: number, fault: Fault) => void): readonly Gathered[] {
  const byTime = new Map<number, Map<number, Gathered>>();
  const rows: Gathered[] = [];
  series.forEach(({ groupId }, index) => {
    const timeMs = timesMs[index] ?? Number.NaN;
    let groups = byTime.get(timeMs);
    if (groups === undefined) {
      const fault = bounds.faultOf(timeMs);
      if (fault !== null) return refuse(index, fault);
      groups = new Map();
      byTime.set(timeMs, groups);
    }
    let row = groups.get(groupId);
    if (row === undefined) {
      row = { groupId, timeMs, indices: [] };
      groups.set(groupId, row);
      rows.push(row);
    }
    row.indices.push(index);
  });
  return rows;
}

interface Cut {
  readonly row: TailRow;
  /** Of each slot the place of its reading in the columns. */
  readonly indices: readonly number[];
}

/** A series that comes twice at a time goes into a second row: the store compares the two. */
function cutRows({ groupId, timeMs, indices }: Gathered, { series, values }: Readings): readonly Cut[] {
  const slotOf = (index: number): number => series[index]?.slot ?? 0;
  const sorted = indices.sort((a, b) => slotOf(a) - slotOf(b) || a - b);
  const first: number[] = [];
  const again: number[] = [];
  for (const index of sorted) {
    const last = first.at(-1);
    (last !== undefined && slotOf(last) === slotOf(index) ? again : first).push(index);
  }
  const bytes = new Uint8Array(BYTES * first.length);
  first.forEach((index, at) => {
    // A view a reading would cost more than its 8 bytes.
    for (let byte = 0; byte < BYTES; byte++) bytes[BYTES * at + byte] = values[BYTES * index + byte] ?? 0;
  });
  const row = { groupId, timeMs, slots: Uint16Array.from(first, slotOf), values: bytes };
  return [
    { row, indices: first },
    ...(again.length === 0 ? [] : cutRows({ groupId, timeMs, indices: again }, { series, values, timesMs: new Float64Array() })),
  ];
}

/**
 * `data` of `samples.fleet_tail`, little-endian: number of runs (u16), then of each run its first slot (u16) and its length (u16), then the
 * readings of all runs, 8 bytes each. A run is a stretch of neighbouring slots: a whole group is one run, so a row costs 6 bytes more than its readings.
 */
const COUNT_BYTES = 2;
const RUN_BYTES = 4;
export const READING_BYTES = 8;

export interface TailReadings {
  /** Ascending; one a reading. */
  readonly slots: Uint16Array;
  /** Little-endian doubles, 8 bytes a reading; a view of what was given. */
  readonly values: Uint8Array;
}

/** Bytes that `writeTailRow` will write. */
export function tailRowBytes(slots: Uint16Array): number {
  return COUNT_BYTES + RUN_BYTES * countRuns(slots) + READING_BYTES * slots.length;
}

/** Writes a row at `at` and answers where the next one begins. `slots` must ascend strictly. */
export function writeTailRow(target: Buffer, at: number, { slots, values }: TailReadings): number {
  target.writeUInt16LE(countRuns(slots), at);
  let runAt = at + COUNT_BYTES;
  for (let from = 0; from < slots.length;) {
    const to = runEnd(slots, from);
    target.writeUInt16LE(slots[from] ?? 0, runAt);
    target.writeUInt16LE(to - from, runAt + 2);
    runAt += RUN_BYTES;
    from = to;
  }
  target.set(values, runAt);
  return runAt + values.length;
}

export function encodeTailRow(readings: TailReadings): Buffer {
  const bytes = Buffer.allocUnsafe(tailRowBytes(readings.slots));
  writeTailRow(bytes, 0, readings);
  return bytes;
}

/** A stretch of neighbouring slots within the bytes of a row. */
export interface TailRun {
  readonly first: number;
  readonly length: number;
  /** Where its first reading lies. */
  readonly at: number;
}

/** Where a row's readings lie, for who needs a few of them. */
export function tailRuns(data: Buffer): readonly TailRun[] {
  const count = data.readUInt16LE(0);
  let at = COUNT_BYTES + RUN_BYTES * count;
  return Array.from({ length: count }, (_, run) => {
    const first = data.readUInt16LE(COUNT_BYTES + RUN_BYTES * run);
    const length = data.readUInt16LE(COUNT_BYTES + RUN_BYTES * run + 2);
    at += READING_BYTES * length;
    return { first, length, at: at - READING_BYTES * length };
  });
}

/** The values are a view of `data`, not a copy, and need not begin at a multiple of 8. */
export function decodeTailRow(data: Buffer): TailReadings {
  const runs = data.readUInt16LE(0);
  const valuesAt = COUNT_BYTES + RUN_BYTES * runs;
  const slots = new Uint16Array((data.length - valuesAt) / READING_BYTES);
  let filled = 0;
  for (let run = 0; run < runs; run++) {
    const first = data.readUInt16LE(COUNT_BYTES + RUN_BYTES * run);
    const length = data.readUInt16LE(COUNT_BYTES + RUN_BYTES * run + 2);
    for (let index = 0; index < length; index++) slots[filled++] = first + index;
  }
  if (filled !== slots.length) throw new Error(`a tail row speaks of ${filled} readings and holds ${slots.length}`);
  return { slots, values: data.subarray(valuesAt) };
}

function countRuns(slots: Uint16Array): number {
  let runs = 0;
  for (let from = 0; from < slots.length; from = runEnd(slots, from)) runs++;
  return runs;
}

function runEnd(slots: Uint16Array, from: number): number {
  let to = from + 1;
  while (to < slots.length && slots[to] === (slots[to - 1] ?? 0) + 1) to++;
  return to;
}

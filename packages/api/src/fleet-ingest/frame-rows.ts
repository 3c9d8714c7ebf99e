import type { FrameRow } from "@trainwatch/core";
import type { TailRow } from "@trainwatch/store";
import type { KnownDictionary, Segment } from "./known-dictionary.ts";

/** A row of the tail and where it was cut from. */
export interface CutRow {
  readonly row: TailRow;
  /** Place of the frame's row in the frame. */
  readonly frameRow: number;
  /** Of each slot of `row` its series: the place in the dictionary. */
  readonly series: Uint16Array;
}

/** A reading is two words: copied as a double it could lose the bits of a NaN (B8). */
const WORDS = 2;

/** Sorts the readings of a frame's row into rows of the tail, one a segment that has some. */
export function cutFrameRow(
  { timeMs, presence, values }: FrameRow,
  { segments, size }: KnownDictionary,
  frameRow: number,
): readonly CutRow[] {
  const words = wordsOf(values);
  if (presence === null)
    return segments.map(({ groupId, slots, series }) => ({
      row: { groupId, timeMs, slots, values: gather(words, series) },
      frameRow,
      series,
    }));
  const ranks = rankPresent(presence, size);
  return segments.flatMap((segment) => {
    const present = presentOf(segment, ranks);
    if (present === null) return [];
    const places = present.series.map((index) => ranks[index] ?? 0);
    return [
      { row: { groupId: segment.groupId, timeMs, slots: present.slots, values: gather(words, places) }, frameRow, series: present.series },
    ];
  });
}

/** Whether the series at a place of the dictionary has a reading. */
export function isPresent(presence: Uint8Array | null, index: number): boolean {
  return presence === null || ((presence[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

/** A view, unless the sender has not filled up its header: words must begin at a multiple of 4. */
function wordsOf(values: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = values.byteOffset % 4 === 0 ? values : new Uint8Array(values);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

function gather(words: Uint32Array, places: Uint16Array): Uint8Array {
  const gathered = new Uint32Array(WORDS * places.length);
  for (let to = 0; to < places.length; to++) {
    const from = WORDS * (places[to] ?? 0);
    gathered[WORDS * to] = words[from] ?? 0;
    gathered[WORDS * to + 1] = words[from + 1] ?? 0;
  }
  return new Uint8Array(gathered.buffer);
}

const ABSENT = 0xffff;

/** Of each series the place of its reading among those of the row. */
function rankPresent(presence: Uint8Array, size: number): Uint16Array {
  const ranks = new Uint16Array(size);
  let next = 0;
  for (let index = 0; index < size; index++) ranks[index] = isPresent(presence, index) ? next++ : ABSENT;
  return ranks;
}

function presentOf({ slots, series }: Segment, ranks: Uint16Array): Pick<Segment, "slots" | "series"> | null {
  const isThere = (index: number): boolean => ranks[index] !== ABSENT;
  const present = series.filter(isThere);
  if (present.length === 0) return null;
  if (present.length === series.length) return { slots, series };
  return { slots: slots.filter((_, at) => isThere(series[at] ?? 0)), series: present };
}

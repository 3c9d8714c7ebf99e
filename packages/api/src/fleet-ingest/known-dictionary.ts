import { createHash } from "node:crypto";
import type { FrameDictionary } from "@trainwatch/core";
import { type AskedSeries, isCurrent, isFault, type KnownSeries, type SeriesBook } from "./series-book.ts";
import type { Fault } from "./series-fault.ts";

/** Series of a dictionary that lie in one group, by slot. */
export interface Segment {
  readonly groupId: number;
  /** Ascending. */
  readonly slots: Uint16Array;
  /** Of each slot its series: the place in the dictionary. */
  readonly series: Uint16Array;
}

/** Where the readings of a dictionary go. Its labels are not kept: whoever sends it can tell them again. */
export interface KnownDictionary {
  /** Number of its series. */
  readonly size: number;
  /** Digest of the series as they were told; see `contentOf`. */
  readonly content: string;
  readonly segments: readonly Segment[];
  /** Series that are not taken, by place in the dictionary. */
  readonly faults: ReadonlyMap<number, Fault>;
  /** False where one of its places is called otherwise by now (E4). */
  isCurrent(): boolean;
}

/**
 * @param answers of the book to all its series, just now
 * @param content of the dictionary that they answer
 */
export function knownDictionary(
  book: Pick<SeriesBook, "changes">,
  answers: readonly (KnownSeries | Fault)[],
  content: string,
): KnownDictionary {
  const known: KnownSeries[] = [];
  const faults = new Map<number, Fault>();
  const segments: { readonly groupId: number; readonly bySlot: Map<number, number> }[] = [];
  answers.forEach((answer, index) => {
    if (isFault(answer)) {
      faults.set(index, answer);
      return;
    }
    known.push(answer);
    // The same series twice in a dictionary: the second goes into a row of its own, where the store compares the two.
    const free = segments.find(({ groupId, bySlot }) => groupId === answer.groupId && !bySlot.has(answer.slot));
    const segment = free ?? { groupId: answer.groupId, bySlot: new Map<number, number>() };
    if (free === undefined) segments.push(segment);
    segment.bySlot.set(answer.slot, index);
  });
  // What the dictionary itself calls in two ways is as current as it will be.
  const told = known.filter(isCurrent);
  let checkedAt = book.changes();
  let current = true;
  return {
    size: answers.length,
    content,
    faults,
    segments: segments.map(({ groupId, bySlot }): Segment => {
      const sorted = [...bySlot].sort(([a], [b]) => a - b);
      return { groupId, slots: Uint16Array.from(sorted, ([slot]) => slot), series: Uint16Array.from(sorted, ([, index]) => index) };
    }),
    isCurrent() {
      if (checkedAt === book.changes()) return current;
      checkedAt = book.changes();
      current = told.every(isCurrent);
      return current;
    },
  };
}

/** What a dictionary says, whatever its sender calls it: a name that is used for two contents must not move readings to other series. */
export function contentOf({ shared = {}, series = [] }: FrameDictionary): string {
  return createHash("sha256")
    .update(JSON.stringify([shared, series]))
    .digest("base64");
}

/** Series of a dictionary with the labels that all of them share. */
export function seriesOf({ shared = {}, series = [] }: FrameDictionary): readonly AskedSeries[] {
  return series.map(([name, labels]) => ({ name, labels: { ...shared, ...labels } }));
}

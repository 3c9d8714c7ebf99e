import type { Finding } from "../finding.ts";
import { findingSpan, findingTimes } from "./span.ts";

/**
 * What came together, in the order in which it is folded: by onset, as a live run tells it, and not as detectors happen to be asked. What comes together thus makes the same
 * incidents however it was gathered. Several words on one finding stay in the order in which they were said.
 */
export function inFoldOrder<Item>(items: readonly Item[], findingOf: (item: Item) => Finding): readonly Item[] {
  const places = new Map<string, FoldPlace>();
  for (const item of items) {
    const finding = findingOf(item);
    if (!places.has(finding.id)) places.set(finding.id, placeOf(finding));
  }
  const place = (item: Item): FoldPlace => places.get(findingOf(item).id) ?? placeOf(findingOf(item));
  return items.toSorted((a, b) => compare(place(a), place(b)));
}

interface FoldPlace {
  readonly time: number;
  readonly step: number;
  readonly id: string;
}

/** What knows no time comes after what does: nothing of the fleet is kin to it by steps. */
function placeOf(finding: Finding): FoldPlace {
  return { time: known(findingTimes(finding)?.from), step: known(findingSpan(finding)?.from), id: finding.id };
}

function known(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : Number.POSITIVE_INFINITY;
}

function compare(a: FoldPlace, b: FoldPlace): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.step !== b.step) return a.step < b.step ? -1 : 1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

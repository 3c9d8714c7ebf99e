import type { SeriesIdentity } from "@trainwatch/core";
import { GROUP_SLOTS, SECTION_SLOTS } from "../contract.ts";

/** Where a group of a target is filled up to. */
export interface GroupFill {
  /** Counts from 0 among the groups that a call fills; 0 is the one that the target had, if it had one. */
  readonly group: number;
  readonly slot: number;
}

/**
 * Slots for new series of one target, from `slots` given away so far in its newest group; in the order of `series`. Series of a metric stand
 * together by entity. Where a metric has a multiple of 8 of them (the GPUs of a node), they begin at a multiple of 8 and so make whole sections;
 * the rest fills the gap before them, as far as it goes, and stands behind them.
 */
export function slotsFor(series: readonly SeriesIdentity[], slots: number): readonly GroupFill[] {
  const order = series.map((each, index) => ({ each, index })).sort((a, b) => compare(a.each, b.each));
  const metrics: number[][] = [];
  order.forEach(({ each, index }, at) => {
    if (at === 0 || order[at - 1]?.each.metric !== each.metric) metrics.push([]);
    metrics.at(-1)?.push(index);
  });
  const whole = metrics.filter((each) => each.length % SECTION_SLOTS === 0).flat();
  const rest = metrics.filter((each) => each.length % SECTION_SLOTS !== 0).flat();
  const gap = whole.length === 0 ? 0 : Math.ceil(slots / SECTION_SLOTS) * SECTION_SLOTS - slots;
  const places: GroupFill[] = [];
  const put = (indices: readonly number[], from: number): void => {
    indices.forEach((index, at) => {
      places[index] = { group: Math.floor((from + at) / GROUP_SLOTS), slot: (from + at) % GROUP_SLOTS };
    });
  };
  put(rest.slice(0, gap), slots);
  put(whole, slots + gap);
  put(rest.slice(gap), slots + gap + whole.length);
  return places;
}

function compare(a: SeriesIdentity, b: SeriesIdentity): number {
  return compareText(a.metric, b.metric) || compareText(a.entity?.id ?? "", b.entity?.id ?? "") || compareText(a.key, b.key);
}

/** By code units, the same on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { Axis } from "@trainwatch/core";
import {
  formatClock,
  formatCompact,
  formatDate,
  formatDateTime,
  formatInteger,
  formatMoment,
  type Zone,
  zoneOffsetMs,
} from "../../format/index.ts";
import { linearTickValues, type Tick } from "./ticks.ts";

/** What an axis needs to write its numbers. */
export interface AxisWords {
  readonly axis: Axis;
  readonly zone: Zone;
  readonly nowMs: number;
}

export const AXIS_WORDS = { step: "step", tokens: "tokens", time: "time" } satisfies Record<Axis, string>;

/** A position written in full: `48,210`, `811 B`, `Mar 12 02:58:10 UTC`. */
export function axisText(x: number, { axis, zone, nowMs }: AxisWords): string {
  if (axis === "step") return formatInteger(x);
  if (axis === "time") return formatDateTime(x, zone, nowMs);
  const { text, unit } = formatCompact(x);
  return unit === "" ? text : `${text} ${unit}`;
}

/** A position on the flag of the cross-hair and at the right end: without date and zone where the axis bears them. */
export function axisShort(x: number, words: AxisWords): string {
  return words.axis === "time" ? formatMoment(x, words.zone, words.nowMs) : axisText(x, words);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME_STEPS = [1, 2, 5, 10, 15, 30]
  .map((n) => n * SECOND)
  .concat([1, 2, 5, 10, 15, 30].map((n) => n * MINUTE))
  .concat([1, 2, 3, 6, 12].map((n) => n * HOUR))
  .concat([1, 2, 5, 7, 14, 28, 56, 112, 224, 448].map((n) => n * DAY));

/** Ticks of the x axis within [from, to], at most `count` + 1. */
export function xTicks(from: number, to: number, count: number, words: AxisWords): readonly Tick[] {
  if (!(to > from)) return [{ at: from, text: axisShort(from, words) }];
  if (words.axis === "time") return timeTicks(from, to, count, words);
  const values = linearTickValues(from, to, count).filter((value) => words.axis === "tokens" || Number.isInteger(value));
  return values.map((at) => ({ at, text: axisText(at, words) }));
}

function timeTicks(from: number, to: number, count: number, { zone, nowMs }: AxisWords): readonly Tick[] {
  const rough = (to - from) / Math.max(1, count);
  const step = TIME_STEPS.find((candidate) => candidate >= rough) ?? Math.ceil(rough / (448 * DAY)) * 448 * DAY;
  // Aligned to the reader's midnight; over a change of daylight saving the ticks of that stack move by an hour.
  const offset = zoneOffsetMs(zone, from);
  const ticks: Tick[] = [];
  for (let at = Math.ceil((from + offset) / step) * step - offset; at <= to; at += step) {
    const midnight = (at + offset) % DAY === 0;
    const clock = formatClock(at, zone);
    ticks.push({ at, text: midnight ? formatDate(at, zone, nowMs) : step < MINUTE ? clock : clock.slice(0, 5) });
  }
  return ticks;
}

import type { Axis } from "@trainwatch/core";
import { formatIso } from "@trainwatch/ui";
import { axisShort, type AxisWords } from "@trainwatch/ui/charts/prepare";
import type { OpenRange } from "./zoom.ts";

/** "42,000 – 48,327, live". */
export function rangeText(shown: OpenRange, isLive: boolean, words: AxisWords): string {
  if (shown.from === null || shown.to === null) return isLive ? "whole run, live" : "range";
  return `${axisShort(shown.from, words)} – ${axisShort(shown.to, words)}${isLive ? ", live" : ""}`;
}

/** An end of the range as a reader may edit it: a plain number, or ISO 8601 in UTC. */
export function endField(axis: Axis, value: number | undefined): string {
  if (value === undefined) return "";
  return axis === "time" ? formatIso(value) : String(value);
}

/** Reads it back; `undefined` where nothing is written, null where it cannot be read. */
export function readEnd(axis: Axis, text: string): number | undefined | null {
  const trimmed = text.trim().replaceAll(",", "");
  if (trimmed === "") return undefined;
  const value = axis === "time" ? Date.parse(zoned(trimmed)) : Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** A time without a zone is meant in UTC, as the field says. */
function zoned(text: string): string {
  return /(z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
}

import type { Lane } from "./lane.ts";
import type { OnsetMark } from "./onset-marks.ts";
import { formatCount, formatFixed, formatInteger, formatMetric, MISSING_QUANTITY, type Quantity } from "../../format/index.ts";
import { fromJsonNumber, type JsonNumber } from "@trainwatch/core";

function say({ text, unit }: Quantity): string {
  return unit === "" ? text : `${text} ${unit}`;
}

/** A value of a lane at the metric's precision, or at the lane's own where it has one. */
export function laneQuantity({ spec, unit }: Lane, value: JsonNumber): Quantity {
  if (spec.digits === undefined) return formatMetric(spec.metric, value, unit === "" ? null : unit);
  const number = value === null ? null : fromJsonNumber(value);
  return number === null ? MISSING_QUANTITY : { text: formatFixed(number, spec.digits), unit: Number.isFinite(number) ? unit : "" };
}

export function laneText(lane: Lane, value: JsonNumber): string {
  return say(laneQuantity(lane, value));
}

/** What the lane shows, for those who do not see it: every number comes from all points. */
export function laneSummary(lane: Lane): string {
  const { totals } = lane;
  if (totals.points === 0) return `${lane.title}: no data in this range.`;
  const parts = [`${lane.title}, ${formatCount(totals.points, "point")}`];
  if (totals.min !== null) parts.push(`lowest ${laneText(lane, totals.min)} at step ${formatInteger(totals.minStep)}`);
  if (totals.max !== null) parts.push(`highest ${laneText(lane, totals.max)} at step ${formatInteger(totals.maxStep)}`);
  if (totals.last !== null) parts.push(`newest ${laneText(lane, totals.last)} at step ${formatInteger(totals.lastStep)}`);
  if (totals.nonFinite > 0) parts.push(formatCount(totals.nonFinite, "value that is not finite", "values that are not finite"));
  if (lane.offScale.length > 0) parts.push(`${formatCount(lane.offScale.length, "peak")} off scale, marked on the edge`);
  if (lane.hidden !== null) parts.push(lane.hidden.text);
  return `${parts.join("; ")}.`;
}

export function stackSummary(lanes: readonly Lane[], onsets: readonly OnsetMark[]): string {
  const marks = onsets.map((mark) => `${mark.severity} ${mark.label}`);
  return [...lanes.map(laneSummary), ...(marks.length === 0 ? [] : [`Marked: ${marks.join("; ")}.`])].join(" ");
}

import type { Lane } from "./lane.ts";
import type { OnsetMark } from "./onset-marks.ts";
import { formatCount, formatInteger, formatMetric, type Quantity } from "../../format/index.ts";
import type { JsonNumber } from "@trainwatch/core";

function say({ text, unit }: Quantity): string {
  return unit === "" ? text : `${text} ${unit}`;
}

/** A value of a lane in words, at the metric's precision. */
export function laneText(lane: Lane, value: JsonNumber): string {
  return say(formatMetric(lane.spec.metric, value, lane.unit === "" ? null : lane.unit));
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

import type { Finding } from "@trainwatch/core";
import { formatCount, formatFixed, formatInteger, formatMetric, formatSigned } from "../../format/index.ts";
import type { Lane } from "./lane.ts";
import { isCurrent } from "./onset-marks.ts";
import { laneText } from "./words.ts";

/** What stands under a lane's value: its baseline and shift where a finding gives them, then what the picture leaves out. */
export function laneFacts(lane: Lane, findings: readonly Finding[]): readonly string[] {
  const facts: string[] = [...(lane.spec.facts ?? [])];
  const about = findings.filter((finding) => finding.metric === lane.spec.metric && finding.shape !== "point");
  const finding = about.findLast(isCurrent) ?? about.at(-1);
  if (finding !== undefined && typeof finding.baselineValue === "number")
    facts.push(`baseline ${baselineWord(lane, finding.baselineValue)}`);
  if (finding !== undefined && finding.levelShift !== null) {
    const { value, standardError } = scaled(lane, finding.levelShift);
    const digits = digitsOfError(standardError);
    facts.push(`shift ${formatSigned(value, digits)} ± ${formatFixed(standardError, digits)}`);
  }
  const members = Math.max(1, ...lane.lines.filter(({ role }) => role !== "spread").map((line) => line.source.members));
  const spread = Math.max(0, ...lane.lines.filter(({ role }) => role === "spread").map((line) => line.source.members));
  // Ranks that log the same quantity are one band, not so many lines (D5).
  if (members > 1) facts.push(`min, mean, max of ${formatInteger(members)}`);
  if (spread > 0) facts.push(`band: min to max of ${formatCount(spread, "rank")}`);
  if (lane.totals.nonFinite > 0) facts.push(`${formatCount(lane.totals.nonFinite, "value")} not finite`);
  if (lane.seriesLeftOut > 0) facts.push(`${formatCount(lane.seriesLeftOut, "more series", "more series")}`);
  return facts;
}

/** A lane of estimates says its unit with every number and may draw in another scale than was logged; the others draw what was logged. */
function baselineWord(lane: Lane, value: number): string {
  const { spec } = lane;
  return spec.estimate === undefined ? formatMetric(spec.metric, value).text : laneText(lane, value * spec.estimate.scale);
}

type LevelShift = NonNullable<Finding["levelShift"]>;

function scaled({ spec }: Lane, { value, standardError }: LevelShift): LevelShift {
  const scale = spec.estimate?.scale ?? 1;
  return { value: value * scale, standardError: standardError * scale };
}

/** A value is written to the first digit of its standard error: +0.23 ± 0.01, +0.015 ± 0.003. */
function digitsOfError(error: number): number {
  return error > 0 ? Math.min(8, Math.max(0, Math.ceil(-Math.log10(error) - 1e-9))) : 3;
}

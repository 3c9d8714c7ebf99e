import type { Finding } from "@trainwatch/core";
import { formatCount, formatFixed, formatMetric, formatSigned } from "../../format/index.ts";
import type { Lane } from "./lane.ts";
import { isCurrent } from "./onset-marks.ts";

/** What stands under a lane's value: its baseline and shift where a finding gives them, then what the picture leaves out. */
export function laneFacts(lane: Lane, findings: readonly Finding[]): readonly string[] {
  const facts: string[] = [];
  const about = findings.filter((finding) => finding.metric === lane.spec.metric && finding.shape !== "point");
  const finding = about.findLast(isCurrent) ?? about.at(-1);
  const digits = decimalsOf(lane);
  if (finding !== undefined && typeof finding.baselineValue === "number") facts.push(`baseline ${formatMetric(lane.spec.metric, finding.baselineValue).text}`);
  if (finding !== undefined && finding.levelShift !== null) {
    facts.push(`shift ${formatSigned(finding.levelShift.value, digits)} ± ${formatFixed(finding.levelShift.standardError, digits)}`);
  }
  if (lane.totals.nonFinite > 0) facts.push(`${formatCount(lane.totals.nonFinite, "value")} not finite`);
  if (lane.hidden !== null) facts.push(lane.hidden.text);
  if (lane.seriesLeftOut > 0) facts.push(`${formatCount(lane.seriesLeftOut, "more series", "more series")}`);
  return facts;
}

function decimalsOf(lane: Lane): number {
  const text = formatMetric(lane.spec.metric, lane.totals.last).text;
  return text.includes("e") ? 6 : (text.split(".")[1]?.length ?? 0);
}

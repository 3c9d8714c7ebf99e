import {
  deviceTitle,
  initiatorOf,
  isFleetSubject,
  isMetricRule,
  metricEntry,
  POST_TRAINING_DETECTORS,
  type Finding,
  type IncidentDetail,
} from "@trainwatch/core";
import {
  formatCount,
  formatFixed,
  formatInteger,
  formatMetric,
  formatSigned,
  metricTitle,
  metricUnit,
  MISSING,
  type Quantity,
} from "@trainwatch/ui";

const DEFAULT_DIGITS = 3;

function withUnit({ text, unit }: Quantity): string {
  return unit === "" ? text : `${text} ${unit}`;
}

function digitsOf(metric: string): number {
  return metricEntry(metric)?.digits ?? DEFAULT_DIGITS;
}

/** What is wrong, in a sentence of numbers: "Loss is 0.23 nats above baseline". */
export function whatWord(lead: Finding): string {
  // What began it is named in the words of the incident's title, which speaks of the same finding.
  if (initiatorOf([lead]) !== null || isFleetSubject(lead.subject) || lead.subject.kind === "rank") return deviceTitle(lead);
  // Their own sentence says what the peak is of, and in which unit.
  if (POST_TRAINING_DETECTORS.has(lead.detector) || isMetricRule(lead.detector)) return deviceTitle(lead);
  const title = metricTitle(lead.metric);
  const { levelShift } = lead;
  if (lead.state === "non-finite") return `${title} is not finite`;
  if (levelShift !== null && lead.state === "shifted") {
    const size = {
      text: formatFixed(Math.abs(levelShift.value), shiftDigits(levelShift.standardError, lead.metric)),
      unit: metricUnit(lead.metric, null),
    };
    return `${title} is ${withUnit(size)} ${levelShift.value > 0 ? "above" : "below"} baseline`;
  }
  const peak = formatMetric(lead.metric, lead.peakValue);
  const baseline = formatMetric(lead.metric, lead.baselineValue);
  if (peak.text === MISSING) return title;
  if (baseline.text === MISSING) return `${title} reached ${withUnit(peak)}`;
  // One unit says it for both, unless a prefix makes them differ.
  return `${title} reached ${peak.unit === baseline.unit ? peak.text : withUnit(peak)} from ${withUnit(baseline)}`;
}

/** How many titles are named; an incident of a fabric has findings of dozens of kinds. */
const TITLES_NAMED = 3;

/** "3 findings: Loss, Gradient norm; found by loss-shift version 2". */
export function whatLine(findings: readonly Finding[], lead: Finding, count = findings.length): string {
  const titles = [...new Set(findings.map((finding) => metricTitle(finding.metric)))];
  const more = titles.length > TITLES_NAMED ? ` and ${formatInteger(titles.length - TITLES_NAMED)} more` : "";
  return `${formatCount(Math.max(count, findings.length), "finding")}: ${titles.slice(0, TITLES_NAMED).join(", ")}${more}; first ${lead.detector} version ${formatInteger(lead.version)}`;
}

const MAX_DIGITS = 8;

/** Digits that the standard error bears out: one significant digit of it. 0.0102 gives 2, 0.003 gives 3. */
function shiftDigits(standardError: number, metric: string): number {
  if (!(standardError > 0)) return digitsOf(metric);
  return Math.min(MAX_DIGITS, Math.max(0, -Math.floor(Math.log10(standardError))));
}

/** Level after minus level before with its standard error: "+0.23 ± 0.01 nats". Null until the series settles. */
export function shiftWord(lead: Finding): string | null {
  if (lead.levelShift === null) return null;
  const digits = shiftDigits(lead.levelShift.standardError, lead.metric);
  const unit = metricUnit(lead.metric, null);
  return `${formatSigned(lead.levelShift.value, digits)} ± ${formatFixed(lead.levelShift.standardError, digits)}${unit === "" ? "" : ` ${unit}`}`;
}

/** How long it has been so: "for 117 steps", or over which steps it went. */
export function spanWord(incident: Pick<IncidentDetail, "onsetStep" | "lastStep" | "ongoing">, lead: Finding): string | null {
  if (incident.onsetStep === null) return null;
  if (lead.endStep !== null)
    return `over ${formatCount(lead.endStep - incident.onsetStep, "step")}, to step ${formatInteger(lead.endStep)}`;
  return incident.ongoing && incident.lastStep !== null ? `for ${formatCount(incident.lastStep - incident.onsetStep, "step")}` : null;
}

/** How much later than its onset the incident was known: "known 6 steps later". */
export function delayWord(incident: Pick<IncidentDetail, "onsetStep" | "detectedTimeMs" | "findings">): string | null {
  const { onsetStep, detectedTimeMs, findings } = incident;
  // The finding that made it known is the one of that time; without times, the first to be detected.
  const first = findings.find((finding) => detectedTimeMs !== null && finding.detectedTimeMs === detectedTimeMs);
  const steps = findings.flatMap(({ detectedStep }) => (detectedStep === null ? [] : [detectedStep]));
  const knownStep = first?.detectedStep ?? (steps.length === 0 ? null : Math.min(...steps));
  if (onsetStep === null || knownStep === null) return null;
  return `known ${formatCount(Math.max(0, knownStep - onsetStep), "step")} later`;
}

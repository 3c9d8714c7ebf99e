import type { CauseFactName } from "../cause.ts";
import type { Finding } from "../finding.ts";
import { metricTitle } from "../metric-title.ts";
import { metricWords, type MetricWords } from "../metric-words.ts";
import { isMetricRule } from "../rule.ts";
import { sayInteger, sayRatio, saySigned } from "../words.ts";
import { chainTitle, deviceTitle } from "./device-title.ts";
import { causeFamily, isForerunner } from "./family.ts";
import { POST_TRAINING_DETECTORS } from "./post-training.ts";
import { initiatorOf } from "./roles.ts";
import { findingIsOn } from "./span.ts";

/** From so many spikes of one metric on, one incident speaks of the regime and not of its last spike (F7). */
const REGIME_SPIKES = 3;

/** From so many returns on a fault is spoken of as flapping (G1). */
const FLAPPING = 3;

/** What, how much, where it began, how it stands (visual.md "Words"). `flaps`: how often it was over and came back. */
export function incidentTitle(lead: Finding, findings: readonly Finding[], flaps = 0): string {
  const initiator = initiatorOf(findings);
  if (initiator !== null) return chainTitle(initiator, findings) + flappingClause(flaps);
  if (saysItself(lead)) return deviceTitle(lead) + flappingClause(flaps);
  const spikes = findings.filter(
    (finding) =>
      finding.metric === lead.metric && finding.severity !== "info" && finding.state !== "non-finite" && finding.state !== "diverged",
  );
  const single = lead.state === "non-finite" || lead.state === "diverged" || spikes.length < REGIME_SPIKES;
  return (single ? singleTitle(lead) : regimeTitle(lead, spikes)) + forerunnerClause(lead, findings);
}

/** What the detector says of these says more than their peak beside their baseline. */
const OWN_WORDS = new Set<CauseFactName>([
  "learning-rate-off",
  "loss-scale-collapsed",
  "attention-logit-high",
  "transfer-slow",
  "data-wait",
  "last-stage-slow",
  "sequence-load-correlates",
  "same-error-on-most-nodes",
  "ranks-behind",
]);

/** Its peak is one step of many: how often they are slow is what it says. */
const JITTER = "jitter";

/** Whether a finding is spoken of in its detector's own sentence: what accuses a part, what reads no series of a family that has words here, and what a person has given a name. */
function saysItself(lead: Finding): boolean {
  if (lead.subject.kind !== "run" || lead.state === "stalled" || lead.detector === JITTER || isMetricRule(lead.detector)) return true;
  if (POST_TRAINING_DETECTORS.has(lead.detector)) return true;
  if (lead.state === "non-finite" || lead.state === "diverged") return false;
  const family = causeFamily(lead.metric);
  return (family !== "optimisation" && family !== "throughput") || lead.facts.some(({ fact }) => OWN_WORDS.has(fact));
}

function flappingClause(flaps: number): string {
  return flaps < FLAPPING ? "" : `; flapping ×${sayInteger(flaps)}`;
}

function singleTitle(lead: Finding): string {
  const name = metricTitle(lead.metric);
  const where = at(lead);
  switch (lead.state) {
    case "non-finite":
      // endStep is the last step that was not finite
      if (lead.endStep === null) return `${name} non-finite${from(lead)}`;
      return lead.endStep === lead.onsetStep
        ? `${name} non-finite${at(lead)}`
        : `${name} non-finite${from(lead)} to ${sayInteger(lead.endStep)}`;
    case "diverged":
      return `${name} diverged${from(lead)}${levels(lead)}`;
    case "stalled":
      return deviceTitle(lead);
    case "shifted":
      return `${name} not recovered: ${size(lead)} ${what(lead)}${where}${shift(lead)}`;
    case "recovered":
      return `${name} ${what(lead)} ${size(lead)}${where}, recovered${lead.endStep === null ? "" : ` at ${sayInteger(lead.endStep)}`}`;
    case "ongoing":
      return `${name} ${what(lead)} ${size(lead)}${where}, not recovered`;
  }
}

function regimeTitle(lead: Finding, spikes: readonly Finding[]): string {
  const onsets = spikes.map((spike) => spike.onsetStep).filter((step) => step !== null);
  const first = Math.min(...onsets);
  const last = Math.max(...onsets);
  const range = onsets.length === 0 ? "" : `, ${sayInteger(spikes.length)} spikes from step ${sayInteger(first)} to ${sayInteger(last)}`;
  const standing = spikes.some(findingIsOn)
    ? "not recovered"
    : lead.state === "shifted"
      ? `settled at another level${shift(lead)}`
      : "recovered after each";
  return `${metricTitle(lead.metric)} unstable${range}, ${standing}`;
}

/** The norm that rose first is the onset, so the title must say why it names an earlier step. */
function forerunnerClause(lead: Finding, findings: readonly Finding[]): string {
  const onset = lead.onsetStep;
  if (onset === null || isForerunner(lead.metric)) return "";
  const first = findings.find((finding) => isForerunner(finding.metric) && finding.onsetStep !== null && finding.onsetStep < onset);
  return first === undefined || first.onsetStep === null
    ? ""
    : `; ${metricTitle(first.metric).toLowerCase()} rose first, at ${sayInteger(first.onsetStep)}`;
}

function what(finding: Finding): string {
  if (causeFamily(finding.metric) === "throughput") return "change";
  return finding.shape === "ramp" ? "rise" : "spike";
}

/** A ratio where both levels are positive; a loss at or below zero has none, so the difference is given. */
function size(finding: Finding): string {
  const { peakValue: peak, baselineValue: baseline } = finding;
  if (typeof peak !== "number") return peak ?? "";
  if (typeof baseline !== "number") return `to ${wordsOf(finding).value(peak)}`;
  if (baseline > 0 && causeFamily(finding.metric) === "throughput")
    return `${saySigned(Math.round((100 * (peak - baseline)) / baseline))} %`;
  if (baseline > 0 && peak > 0) return sayRatio(peak, baseline);
  return wordsOf(finding).signed(peak - baseline);
}

function levels(finding: Finding): string {
  const { peakValue: peak, baselineValue: baseline } = finding;
  if (typeof peak !== "number" || typeof baseline !== "number") return "";
  const words = wordsOf(finding);
  return `, ${words.bare(baseline)} to ${words.value(peak)}`;
}

function shift(finding: Finding): string {
  return finding.levelShift === null ? "" : `, still ${wordsOf(finding).signed(finding.levelShift.value)}`;
}

function wordsOf({ metric, peakValue, baselineValue }: Finding): MetricWords {
  return metricWords(metric, [peakValue, baselineValue]);
}

function at(finding: Finding): string {
  const step = finding.onsetStep ?? finding.detectedStep;
  return step === null ? "" : ` at step ${sayInteger(step)}`;
}

function from(finding: Finding): string {
  const step = finding.onsetStep ?? finding.detectedStep;
  return step === null ? "" : ` from step ${sayInteger(step)}`;
}

import type { Finding, FindingState } from "../finding.ts";
import { severityRank } from "../severity.ts";
import type { Severity } from "../severity.ts";
import type { Incident } from "./incident.ts";
import { metricEntry } from "../metrics.ts";
import { causeFamily, isForerunner } from "./family.ts";
import { isFleetSubject } from "./place.ts";
import { initiatorOf } from "./roles.ts";
import { findingIsOn } from "./span.ts";
import { incidentTitle } from "./title.ts";

/** What pages and notices say of an incident; all of it follows from its findings. */
export interface IncidentDescription {
  readonly title: string;
  readonly severity: Severity;
  readonly findingState: FindingState;
  /** Whether it still costs something: a finding goes on, or the loss has settled at a worse level and the run trains on there. */
  readonly ongoing: boolean;
  /** Earliest onset of the findings that date it: a norm that rose first counts (F7), a note of another kind does not. */
  readonly onsetStep: number | null;
  /** Earliest lower end of the onsets: what a rollback must lie before. */
  readonly onsetLowerStep: number | null;
  /** The time of that onset; null where only findings of later steps tell theirs. */
  readonly onsetTimeMs: number | null;
  readonly detectedTimeMs: number | null;
  /** Last step that a finding reached; null while it goes on. */
  readonly endStep: number | null;
  /** When the last one was over, as far as they tell; null while it goes on. */
  readonly endTimeMs: number | null;
  /** The finding that the title speaks of: what explains the others, else the worst. */
  readonly lead: Finding;
  /** The metric to draw it by: of the worst finding that read a series of the run; where none did (a hang, a dead GPU), the loss, which nearly every run logs. */
  readonly chartMetric: string;
}

/** @throws never: an incident holds at least one finding by construction; without one this is a bug and a TypeError. */
export function describeIncident(
  incident: Pick<Incident, "findings" | "severity"> & Partial<Pick<Incident, "flaps">>,
): IncidentDescription {
  const worst = leadFinding(incident.findings);
  const lead = initiatorOf(incident.findings) ?? worst;
  const charted = incident.findings.filter(
    ({ subject, metric }) => !isFleetSubject(subject) && (metricEntry(metric) !== undefined || causeFamily(metric) !== metric),
  );
  const ongoing = incident.findings.some((finding) => findingIsOn(finding) || isNotUndone(finding));
  const dated = datingFindings(incident.findings);
  const onsetStep = earliest(dated, (finding) => finding.onsetStep);
  return {
    title: incidentTitle(worst, incident.findings, incident.flaps),
    severity: incident.severity,
    findingState: worst.state,
    ongoing,
    onsetStep,
    onsetLowerStep: earliest(dated, (finding) => finding.onsetLowerStep ?? finding.onsetStep),
    onsetTimeMs: earliest(dated, (finding) => (isLater(finding.onsetStep, onsetStep) ? null : finding.onsetTimeMs)),
    detectedTimeMs: earliest(dated, (finding) => finding.detectedTimeMs),
    endStep: ongoing ? null : latest(incident.findings, (finding) => finding.endStep),
    endTimeMs: ongoing ? null : latest(incident.findings, (finding) => finding.endTimeMs),
    lead,
    chartMetric: charted.length === 0 ? "loss" : leadFinding(charted).metric,
  };
}

/** A note of another kind beside a fault must not date it, since a rollback is planned from its onset; one of its own kind, such as a norm that moved first, does. */
function datingFindings(findings: readonly Finding[]): readonly Finding[] {
  const kinds = new Set(findings.filter(({ severity }) => severity !== "info").map(({ metric }) => causeFamily(metric)));
  return kinds.size === 0 ? findings : findings.filter(({ severity, metric }) => severity !== "info" || kinds.has(causeFamily(metric)));
}

function isLater(step: number | null, than: number | null): boolean {
  return step !== null && than !== null && step > than;
}

/** A norm that settled elsewhere harms nothing by itself, nor does a note (a schedule that took a step); a loss that did is a fault that nobody has undone. */
function isNotUndone(finding: Finding): boolean {
  return finding.state === "shifted" && finding.severity !== "info" && !isForerunner(finding.metric);
}

const STATE_WEIGHT: Readonly<Record<FindingState, number>> = {
  "non-finite": 5,
  diverged: 4,
  stalled: 3,
  ongoing: 2,
  shifted: 1,
  recovered: 0,
};

/**
 * The finding that an incident is spoken of by: the worst; among equals what still goes on, then how it ended, then the loss before the
 * norms that announced it, then the latest. How an incident ended is thus how its loss ended, wherever one was found: a norm that
 * settled at another level is no worse an end than one that came back.
 * @throws TypeError for none: an incident holds at least one finding by construction
 */
export function leadFinding(findings: readonly Finding[]): Finding {
  const [first, ...rest] = findings;
  if (first === undefined) throw new TypeError("an incident without findings");
  return rest.reduce((best, finding) => (compare(finding, best) > 0 ? finding : best), first);
}

function compare(a: Finding, b: Finding): number {
  return (
    severityRank(a.severity) - severityRank(b.severity) ||
    Number(findingIsOn(a)) - Number(findingIsOn(b)) ||
    endWeight(a) - endWeight(b) ||
    Number(!isForerunner(a.metric)) - Number(!isForerunner(b.metric)) ||
    (a.onsetStep ?? 0) - (b.onsetStep ?? 0)
  );
}

function endWeight(finding: Finding): number {
  return finding.state === "shifted" && !isNotUndone(finding) ? STATE_WEIGHT.recovered : STATE_WEIGHT[finding.state];
}

function earliest(findings: readonly Finding[], pick: (finding: Finding) => number | null): number | null {
  return findings.reduce<number | null>((least, finding) => {
    const value = pick(finding);
    return value === null || (least !== null && least <= value) ? least : value;
  }, null);
}

function latest(findings: readonly Finding[], pick: (finding: Finding) => number | null): number | null {
  return findings.reduce<number | null>((most, finding) => {
    const value = pick(finding);
    return value === null || (most !== null && most >= value) ? most : value;
  }, null);
}

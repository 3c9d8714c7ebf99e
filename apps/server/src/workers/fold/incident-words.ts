import { SNOOZE_IS_OVER } from "@trainwatch/api";
import { describeIncident, sayInteger, type Finding, type Incident, type TimelineEntry } from "@trainwatch/core";

/** Who the timeline and the audit name for what the machine does. */
export const DETECTOR_ACTOR = "detectors";

export type Told = Omit<TimelineEntry, "actor">;

/** What the timeline of a new incident begins with. */
export function openEntries(incident: Incident, opener: Finding): { readonly title: string; readonly entries: readonly Told[] } {
  const { title, onsetStep, onsetTimeMs } = describeIncident(incident);
  const began =
    onsetStep !== null ? `at step ${sayInteger(onsetStep)}` : onsetTimeMs !== null ? `at ${sayTime(onsetTimeMs)}` : "at an unknown time";
  return {
    title,
    entries: [
      { kind: "onset", atMs: onsetTimeMs, step: onsetStep, text: `Began ${began}` },
      { kind: "detected", atMs: opener.detectedTimeMs, step: opener.detectedStep, text: opener.summary },
    ],
  };
}

/**
 * What is news about a finding that joined: itself, when it is new, and each change of how it stands that its sentence tells. Moving numbers
 * are none, and neither is a severity that goes to and fro beneath the same words: where the incident's rises, that is told as such.
 */
export function newsEntries(
  finding: Finding,
  before: Incident,
  { escalated, reopened }: { readonly escalated: boolean; readonly reopened: boolean },
): readonly Told[] {
  const held = before.findings.find((other) => other.id === finding.id);
  const stands = held !== undefined && held.state === finding.state && held.severity === finding.severity;
  const isNews = !stands && held?.summary !== finding.summary;
  const at = { atMs: finding.detectedTimeMs, step: held === undefined ? finding.detectedStep : (finding.endStep ?? finding.detectedStep) };
  return [
    ...(isNews ? [{ kind: "finding" as const, ...at, text: finding.summary }] : []),
    ...(escalated ? [{ kind: "note" as const, ...at, text: `Escalated to ${finding.severity}` }] : []),
    ...(reopened ? [{ kind: "reopened" as const, ...at, text: "Opened again: it got worse" }] : []),
  ];
}

/** As the clock says it (`tellByClock`), where a finding comes before the clock has looked; before its time only what is merged into it ends a snooze. */
export function snoozeOver({ snoozedUntilMs }: Incident, nowMs: number): Told {
  if (snoozedUntilMs !== null && snoozedUntilMs > nowMs)
    return { kind: "reopened", atMs: nowMs, step: null, text: "Open again: what it took in was not put off" };
  return { kind: "snoozed", atMs: snoozedUntilMs, step: null, text: SNOOZE_IS_OVER };
}

/** Whoever has taken it has said nothing of what it takes in now. */
export function takenNoMore(nowMs: number): Told {
  return { kind: "reopened", atMs: nowMs, step: null, text: "Open again: what it took in came after it was acknowledged" };
}

function sayTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

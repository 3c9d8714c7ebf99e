import type { FindingState, IncidentSummary, Severity } from "@trainwatch/core";
import { sayShare } from "@trainwatch/core";
import { formatDuration, formatInteger, formatRelative, MARK_WORDS } from "@trainwatch/ui";

const ENDED_WORDS = {
  ongoing: "No, ended",
  recovered: "No, recovered",
  shifted: "No, ended shifted",
  diverged: "No, ended diverged",
  "non-finite": "No, ended non-finite",
  stalled: "No, ended stalled",
} as const satisfies Record<FindingState, string>;

/** "Yes, shifted" or "No, recovered". */
export function stillOnWord(incident: Pick<IncidentSummary, "ongoing" | "findingState" | "state" | "replacedBy">): string {
  if (incident.state === "resolved" && !incident.ongoing && incident.findingState === "ongoing") return "No, resolved";
  // Not going on and not recovered: the run ended, or went on from before it, while the fault was on.
  if (!incident.ongoing && incident.replacedBy !== null && incident.findingState !== "recovered")
    return `No, ${incident.replacedBy} has followed`;
  if (!incident.ongoing) return ENDED_WORDS[incident.findingState];
  return incident.findingState === "ongoing" ? "Yes" : `Yes, ${incident.findingState}`;
}

/** "likely, 86 %"; the word alone where nothing was weighed. */
export function confidenceWord({ word, share }: { readonly word: string; readonly share: number | null }): string {
  return share === null ? word : `${word}, ${sayShare(share)}`;
}

/** "run, attempt": which weights are concerned, and whether the run has left them. */
export function whereWord(incident: Pick<IncidentSummary, "project" | "runName" | "attempt" | "replacedBy">): string {
  if (incident.runName === null) return "fleet, no run";
  const followed = incident.replacedBy === null ? "" : `, ${incident.replacedBy} has followed`;
  return `${incident.project}/${incident.runName} ${incident.attempt}${followed}`;
}

/** Time since onset where the log has times, else since the incident was opened. */
export function ageWord(incident: Pick<IncidentSummary, "onsetTimeMs" | "openedAtMs">, nowMs: number): string {
  return formatDuration(Math.max(0, nowMs - (incident.onsetTimeMs ?? incident.openedAtMs)));
}

/** One line for a phone: "Critical · step 48,210 · 16 min ago · R. Lindqvist". */
export function briefWord(incident: IncidentSummary, nowMs: number): string {
  const parts = [MARK_WORDS[incident.severity]];
  if (incident.onsetStep !== null) parts.push(`since step ${formatInteger(incident.onsetStep)}`);
  parts.push(formatRelative(incident.onsetTimeMs ?? incident.openedAtMs, nowMs), incident.owner ?? "Nobody");
  return parts.join(" · ");
}

/** Whether it still waits for somebody to take it. */
export function isUntaken(incident: Pick<IncidentSummary, "state" | "acknowledgedAtMs">): boolean {
  return incident.state === "open" && incident.acknowledgedAtMs === null;
}

export const SEVERITY_TONE = { critical: "critical", warning: "warning", info: "info" } as const satisfies Record<Severity, string>;

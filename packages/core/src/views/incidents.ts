import type { Advice } from "../advice.ts";
import type { Finding } from "../finding.ts";
import type { Cause, CauseAssessment } from "../cause.ts";
import type { StoredReplay } from "../replay.ts";
import type { Label } from "../rule.ts";
import type { IncidentState } from "../incident/incident.ts";
import type { Severity } from "../severity.ts";
import type { Checkpoint, RunMetadata } from "../run.ts";
import type { Sparkline } from "./runs.ts";

export interface IncidentSummary {
  readonly id: number;
  /** Null where what failed worked for no run that we watch; `attempt` is then empty. */
  readonly runId: number | null;
  readonly project: string | null;
  readonly runName: string | null;
  readonly attempt: string;
  readonly title: string;
  readonly severity: Severity;
  readonly state: IncidentState;
  /** What the worst finding says now: still ongoing, recovered, shifted. */
  readonly findingState: Finding["state"];
  /** Whether the fault is still going on: in the run as it is now, or on a machine that is still broken, whoever works on it. */
  readonly ongoing: boolean;
  /** The attempt that has followed the incident's own and took nothing of it over: it does not speak of the run as it is now. Null where it does, or of how it ended. */
  readonly replacedBy: string | null;
  readonly onsetStep: number | null;
  readonly onsetTimeMs: number | null;
  readonly detectedTimeMs: number | null;
  readonly openedAtMs: number;
  readonly findingCount: number;
  /** GPU-hours burnt per hour while it goes on, and since onset; null where GPUs or step time are unknown. */
  readonly gpuHoursPerHour: number | null;
  readonly gpuHoursSoFar: number | null;
  /** Why a cost is null: what is not known and how to give it. */
  readonly costUnknown: string | null;
  /** The resolved incident whose fault has come back as this one. */
  readonly regressionOf: number | null;
  readonly owner: string | null;
  readonly acknowledgedAtMs: number | null;
  readonly snoozedUntilMs: number | null;
  /** How often it was over and came back. */
  readonly flaps: number;
  /** The likeliest cause and how sure it is; null before causes were weighed. */
  readonly cause: {
    readonly cause: Cause;
    readonly subjectKind: string | null;
    readonly subjectId: string | null;
    readonly word: CauseAssessment["word"];
    readonly share: number;
  } | null;
  /** What a person said of the alarm. */
  readonly label: Label | null;
  /** The action now proposed, with its confidence; null before the first advice. */
  readonly action: {
    readonly text: string;
    readonly confidence: Advice["confidence"];
    readonly decision: "accepted" | "declined" | null;
  } | null;
  readonly signal: Sparkline;
}
export interface IncidentPage {
  readonly items: readonly IncidentSummary[];
  readonly total: number;
  readonly next: string | null;
}

export interface Decision {
  readonly id: number;
  readonly adviceId: number;
  readonly verdict: "accepted" | "declined";
  readonly reason: string;
  readonly actor: string;
  readonly atMs: number;
}

export interface TimelineEntry {
  readonly atMs: number | null;
  readonly step: number | null;
  readonly actor: string;
  readonly text: string;
  readonly kind:
    | "onset"
    | "detected"
    | "finding"
    | "acknowledged"
    | "assigned"
    | "snoozed"
    | "resolved"
    | "reopened"
    | "comment"
    | "labelled"
    | "notified"
    | "replay"
    | "advice"
    | "decision"
    | "checkpoint"
    | "note";
}

export interface IncidentDetail extends IncidentSummary {
  /** At most 200: what began it and what that brought about first; `findingCount` says how many there are. */
  readonly findings: readonly Finding[];
  /** The elder incident that it turned out to be: that one has the findings and goes on, this one is closed. Null: it is one of its own. */
  readonly mergedInto: number | null;
  /** Those that turned out to be this one: their entries and decisions are among its own. */
  readonly merged: readonly number[];
  readonly assessment: CauseAssessment | null;
  readonly replays: readonly StoredReplay[];
  readonly labelled: { readonly label: Label; readonly reason: string; readonly by: string; readonly atMs: number } | null;
  readonly advice: (Advice & { readonly id: number; readonly createdAtMs: number }) | null;
  readonly decisions: readonly Decision[];
  /** The newest 1,000, oldest first; `timelineTotal` counts all. */
  readonly timeline: readonly TimelineEntry[];
  readonly timelineTotal: number;
  /** Those of the run nearest to the onset, oldest step first; `checkpointTotal` counts all of the run. */
  readonly checkpoints: readonly Checkpoint[];
  readonly checkpointTotal: number;
  readonly metadata: RunMetadata;
  readonly stepTimeS: number | null;
  readonly lastStep: number | null;
}

export interface AuditEntry {
  readonly id: number;
  readonly atMs: number;
  readonly actor: string;
  readonly verb: string;
  /** What it was done to, such as `incident:12`. */
  readonly target: string;
  readonly details: Readonly<Record<string, unknown>>;
}
export interface AuditPage {
  readonly items: readonly AuditEntry[];
  readonly next: string | null;
}

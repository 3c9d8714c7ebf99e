import type { Advice } from "../advice.ts";
import type { Finding } from "../finding.ts";
import type { IncidentState } from "../incident/incident.ts";
import type { Severity } from "../severity.ts";
import type { Checkpoint, RunMetadata } from "../run.ts";
import type { Sparkline } from "./runs.ts";

export interface IncidentSummary {
  readonly id: number;
  readonly runId: number;
  readonly project: string;
  readonly runName: string;
  readonly attempt: string;
  readonly title: string;
  readonly severity: Severity;
  readonly state: IncidentState;
  /** What the worst finding says now: still ongoing, recovered, shifted. */
  readonly findingState: Finding["state"];
  /** Whether the fault is still going on. */
  readonly ongoing: boolean;
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
    | "resolved"
    | "reopened"
    | "advice"
    | "decision"
    | "checkpoint"
    | "note";
}

export interface IncidentDetail extends IncidentSummary {
  readonly findings: readonly Finding[];
  readonly advice: (Advice & { readonly id: number; readonly createdAtMs: number }) | null;
  readonly decisions: readonly Decision[];
  readonly timeline: readonly TimelineEntry[];
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

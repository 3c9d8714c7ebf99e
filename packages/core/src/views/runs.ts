import type { Attempt, Checkpoint, RunMetadata, RunState } from "../run.ts";
import type { Severity } from "../severity.ts";
import type { Finding, FindingState } from "../finding.ts";
import type { JsonNumber } from "../non-finite.ts";

/** A tiny preview line: means of up to 64 buckets; null is a gap. */
export interface Sparkline {
  readonly values: readonly (number | null)[];
}

/** One row of the run list. It is answered from run and incident rows alone: no sample is read (A13). */
export interface RunSummary {
  readonly id: number;
  readonly project: string;
  readonly name: string;
  readonly state: RunState;
  /** Worst open incident that speaks of the run as it is now, or as it ended; null with `watched` true means looked at and nothing found. */
  readonly worst: {
    readonly severity: Severity;
    readonly state: FindingState;
    readonly summary: string;
    readonly incidentId: number;
  } | null;
  /** Incidents that are still open and speak of attempts that others have followed since: they want an answer, and say nothing of how the run stands. */
  readonly openOfEarlier: number;
  /** Whether a detector has judged enough of it to speak. */
  readonly watched: boolean;
  readonly attempt: string | null;
  readonly lastStep: number | null;
  readonly lastLoss: JsonNumber;
  readonly lastSampleAtMs: number | null;
  readonly metadata: RunMetadata;
  readonly archivedAtMs: number | null;
  readonly createdAtMs: number;
}

export interface RunPage {
  readonly items: readonly RunSummary[];
  readonly total: number;
  /** Pass back as `cursor`; null at the end. */
  readonly next: string | null;
}

export type Axis = "step" | "tokens" | "time";

export interface RunDetail extends RunSummary {
  readonly attempts: readonly (Attempt & {
    readonly superseded: readonly { readonly fromStep: number; readonly toStep: number }[];
    readonly startedAtMs: number | null;
    readonly endedAtMs: number | null;
  })[];
  /** Those of the newest steps, oldest first; `checkpointTotal` counts them all. */
  readonly checkpoints: readonly Checkpoint[];
  readonly checkpointTotal: number;
  /** The newest ones, oldest first; `noteTotal` counts them all. */
  readonly notes: readonly RunNote[];
  readonly noteTotal: number;
  /** Axes that the run offers, and for each it lacks the reason. */
  readonly axes: readonly { readonly axis: Axis; readonly available: boolean; readonly why: string | null }[];
  /** Whether the default axis is time because the step never moves (A12). */
  readonly stepIsConstant: boolean;
  /** Median seconds per step of the newest attempt; null where times are unknown. */
  readonly stepTimeS: number | null;
  /** What the state rests on, in words, and since when it stands. */
  readonly stateReason: string | null;
  readonly stateSinceMs: number | null;
  readonly seriesCount: number;
  readonly pointCount: number;
  /** True where times come from a log that names no zone and UTC was assumed. */
  readonly zoneAssumed: boolean;
}

/** A mark on the chart: a restart, a skipped step, a decision. */
export interface RunNote {
  readonly kind: string;
  readonly attempt: string;
  readonly step: number | null;
  readonly timeMs: number | null;
  readonly text: string;
}

/** Some checkpoints of a run, oldest step first, of `total`. */
export interface CheckpointPage {
  readonly items: readonly Checkpoint[];
  readonly total: number;
}

/** Some findings of a run by detection, of `total`. */
export interface FindingPage {
  readonly items: readonly Finding[];
  readonly total: number;
}

export interface MetricKey {
  readonly metric: string;
  readonly unit: string | null;
  readonly series: number;
  readonly points: number;
  readonly labelNames: readonly string[];
}
export interface MetricKeyPage {
  readonly items: readonly MetricKey[];
  readonly total: number;
  readonly next: string | null;
}

import type { Dimension } from "../evaluation/dimension.ts";
import type { JsonNumber } from "../non-finite.ts";
import type { Checkpoint, CheckpointState } from "../run.ts";
import type { Severity } from "../severity.ts";
import type { Verdict } from "./releases.ts";

export interface ScorecardSummary {
  readonly scorecardId: number;
  readonly model: string;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string } | null;
  readonly step: number | null;
  readonly path: string | null;
  readonly checkpointId: number | null;
  readonly results: number;
  readonly samples: number;
  readonly newestResultAtMs: number | null;
}
export interface ScorecardPage {
  readonly items: readonly ScorecardSummary[];
  readonly total: number;
  readonly next: string | null;
}

export interface ScorecardResult {
  readonly key: string;
  readonly title: string;
  readonly dimension: Dimension;
  readonly unit: string;
  readonly scale: number;
  readonly digits: number;
  readonly better: "higher" | "lower" | "none";
  readonly value: JsonNumber;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number | null;
  readonly evaluatedAtMs: number | null;
  readonly importedAtMs: number;
  readonly file: string;
}

/** One measure over the checkpoints of a run, with its peak. */
export interface TrendView {
  readonly key: string;
  readonly title: string;
  readonly dimension: Dimension;
  readonly unit: string;
  readonly scale: number;
  readonly digits: number;
  readonly better: "higher" | "lower" | "none";
  readonly points: readonly {
    readonly step: number;
    readonly scorecardId: number;
    readonly value: number | null;
    readonly low: number | null;
    readonly high: number | null;
  }[];
  /** The best step with its interval; `settled` false: the last steps are not told apart from it. */
  readonly peak: {
    readonly step: number;
    readonly low: number;
    readonly high: number;
    readonly confidence: number;
    readonly isLast: boolean;
    readonly method: string;
    readonly text: string;
  } | null;
  /** Why there is no peak. */
  readonly why: string | null;
}

export interface CheckpointEntry {
  readonly checkpointId: number;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string };
  readonly attempt: string;
  readonly step: number;
  readonly kind: string;
  readonly path: string | null;
  readonly state: CheckpointState;
  readonly reason: string | null;
  readonly savedAtMs: number | null;
  readonly tokens: number | null;
  /** On the way that today's weights have taken; false: rolled back. */
  readonly inEffect: boolean;
  readonly results: number;
  readonly incidentsBefore: number;
  readonly signedReleases: readonly { readonly releaseId: number; readonly name: string }[];
}
export interface CheckpointEntryPage {
  readonly items: readonly CheckpointEntry[];
  readonly total: number;
  readonly next: string | null;
}

/** One of the six verdicts on a passport. `state` unknown is hatched and says why. */
export interface PassportVerdict {
  readonly name: "complete" | "verified" | "training-health" | "silent-corruption" | "scores" | "decision";
  readonly title: string;
  readonly state: "good" | "doubt" | "bad" | "unknown";
  readonly text: string;
  readonly detail: string;
}

export interface PassportEvent {
  readonly step: number | null;
  readonly severity: Severity;
  readonly incidentId: number;
  readonly title: string;
  /** How it stands: "recovered", "rolled back", "still open". */
  readonly outcome: string;
}

export interface Passport {
  readonly checkpoint: Checkpoint;
  readonly checkpointId: number;
  readonly run: { readonly runId: number; readonly project: string; readonly name: string };
  readonly previous: { readonly checkpointId: number; readonly step: number } | null;
  readonly next: { readonly checkpointId: number; readonly step: number } | null;
  readonly tokens: number | null;
  /** Step from which the held-out score fell, as a detector found it on the way of these weights or after them; null: none was found. */
  readonly turningPointStep: number | null;
  readonly verdicts: readonly PassportVerdict[];
  /** Attempts on the way to these weights, oldest first, with the steps of each that they have seen and those rolled back. */
  readonly lineage: readonly {
    readonly attempt: string;
    readonly fromStep: number | null;
    readonly toStep: number | null;
    readonly rolledBack: readonly { readonly fromStep: number; readonly toStep: number; readonly reason: string | null }[];
  }[];
  /** Data ranges that were skipped by accepted advice. */
  readonly skipped: readonly { readonly fromStep: number; readonly toStep: number; readonly incidentId: number }[];
  readonly events: readonly PassportEvent[];
  readonly eventTotal: number;
  /** GPUs that trained it, and those of them under suspicion of wrong numbers. */
  readonly gpus: {
    readonly known: number;
    readonly nodes: number;
    readonly suspects: readonly {
      readonly gpu: string;
      readonly node: string | null;
      readonly share: number | null;
      readonly why: string;
    }[];
  };
  readonly scorecardId: number | null;
  readonly results: readonly (ScorecardResult & { readonly delta: number | null; readonly verdict: Verdict | null })[];
  readonly against: string | null;
  readonly decisions: readonly {
    readonly atMs: number;
    readonly actor: string;
    readonly text: string;
    readonly reason: string | null;
    readonly releaseId: number | null;
    readonly incidentId: number | null;
  }[];
  /** What is not known of it, in sentences. */
  readonly doubts: readonly { readonly kind: "unknown" | "note"; readonly text: string }[];
}

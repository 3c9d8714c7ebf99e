import type { Finding } from "../finding.ts";

/** Lanes of the post-training view, in order. */
export const POST_TRAINING_SIGNALS = [
  "reward",
  "held-out",
  "kl",
  "entropy",
  "response-length",
  "truncation",
  "clip-fraction",
  "zero-variance-groups",
  "mismatch",
  "saturation",
  "hacking",
  "sycophancy",
] as const;
export type PostTrainingSignal = (typeof POST_TRAINING_SIGNALS)[number];

export interface PostTrainingLane {
  readonly signal: PostTrainingSignal;
  readonly title: string;
  /** Metric of the run that carries it; null: not logged. */
  readonly metric: string | null;
  readonly unit: string;
  /** Why nothing can be said, and what to log: "No held-out evaluation: over-optimisation cannot be seen." */
  readonly missing: string | null;
}

/** The fitted turn of the held-out score (detection.md F.2). */
export interface TurningPoint {
  readonly metric: string;
  /** What it was fitted over. */
  readonly over: "kl" | "step";
  readonly peakStep: number;
  readonly lowStep: number;
  readonly highStep: number;
  readonly confidence: number;
  readonly peakValue: number;
  readonly lastValue: number;
  /** Best minus last, in the metric's unit, and its standard error. */
  readonly drop: number;
  readonly dropError: number;
  readonly peakKl: number | null;
  /** Whether the rule has alarmed, or only the fit is shown. */
  readonly turned: boolean;
  readonly proxyRises: boolean | null;
  /** Newest checkpoint at or before the peak. */
  readonly checkpoint: { readonly checkpointId: number; readonly step: number } | null;
  readonly text: string;
}

/** What the entropy that is left can still buy, by R = b - a exp(H) over the run so far (detection.md F.1). In the reward's unit, with standard errors. */
export interface RewardCeilingView {
  /** The reward when no entropy is left. */
  readonly ceiling: number;
  readonly ceilingError: number;
  readonly left: number;
  readonly leftError: number;
  /** Share of what the entropy at the start could buy; below zero where it has grown. Null: it could buy nothing. */
  readonly used: number | null;
  readonly text: string;
}

export interface PostTrainingView {
  /** Whether the run looks like post-training at all; if not, nothing else is said. */
  readonly isPostTraining: boolean;
  readonly attempt: string | null;
  readonly lanes: readonly PostTrainingLane[];
  /** Held-out evaluations that feed the turning point: in the log, or scorecards of the run's checkpoints. */
  readonly heldOut: {
    readonly source: "log" | "scorecards";
    readonly metric: string;
    /** Held-out scores that there are; this one has turned, or has the most evaluations of them. */
    readonly scores: number;
    readonly prompts: number | null;
    readonly points: readonly {
      readonly step: number;
      readonly value: number;
      readonly low: number | null;
      readonly high: number | null;
    }[];
    /** The fitted curve at each point's step. */
    readonly fit: readonly (number | null)[];
  } | null;
  readonly turningPoint: TurningPoint | null;
  /** Why there is none. */
  readonly why: string | null;
  /** Null: the reward has not followed the entropy, or too little is known of both. */
  readonly rewardCeiling: RewardCeilingView | null;
  readonly findings: readonly Finding[];
}

import type { CheckpointEvent, EndEvent, StartEvent } from "../event.ts";

/** What happens to a cluster run, in order of time. Times are epoch ms by the true clock. */
export type ClusterEvent = StartEvent | ClusterStep | StuckStep | SavingBegun | ClusterCheckpoint | Heartbeat | EndEvent;

/** A step that all ranks have ended. */
export interface ClusterStep {
  readonly kind: "step";
  readonly attempt: string;
  readonly step: number;
  /** When it ended. */
  readonly timeMs: number;
  readonly values: RunValues;
  readonly ranks: RankValues;
}

/** The step in which a job hangs: what ranks say that have done their own part. It has no values of the run. */
export interface StuckStep {
  readonly kind: "stuck-step";
  readonly attempt: string;
  readonly step: number;
  readonly timeMs: number;
  readonly ranks: RankValues;
}

/** Of the whole run, from its ranks. */
export interface RunValues {
  readonly loss: number;
  readonly grad_norm: number;
  readonly learning_rate: number;
  /** Seconds: until the slowest rank is done. */
  readonly step_time: number;
  readonly tokens_per_second: number;
  readonly tokens_consumed: number;
  readonly loss_scale: number;
  /** Global batch id: the same where the same data are read again. */
  readonly batch_id: number;
}

export const RANK_METRICS = [
  "loss",
  "grad_norm",
  "forward_time",
  "backward_time",
  "compute_time",
  "communication_time",
  "data_time",
  "sequence_load",
  "param_hash",
  "recompute_mismatches",
  "expert_load_ratio",
] as const;
export type RankMetric = (typeof RANK_METRICS)[number];

export interface RankValues {
  /** By canonical name; one value a rank, in the metric's unit (seconds, nats, tokens²). NaN is a reading. Metrics without a reading at this step are missing. */
  readonly columns: ReadonlyMap<RankMetric, Float64Array>;
  /** 1 where nothing has come of a rank; null where all have spoken. */
  readonly silent: Uint8Array | null;
  /** What the clock of each rank's node is off by, ms: ranks tell times by it. */
  readonly clockMs: Float64Array;
}

export interface SavingBegun {
  readonly kind: "saving";
  readonly attempt: string;
  readonly step: number;
  readonly timeMs: number;
}

/** It has been saved. */
export interface ClusterCheckpoint extends CheckpointEvent {
  readonly startedMs: number;
}

/** The trainers of a job that stands still say that they live. */
export interface Heartbeat {
  readonly kind: "heartbeat";
  readonly attempt: string;
  readonly timeMs: number;
}

import type { CheckpointState } from "@trainwatch/core";

/** What a simulated trainer reports, in the order in which it happens. Times are epoch milliseconds. */
export type SimulatedEvent = StartEvent | PointEvent | CheckpointEvent | EndEvent;

export interface StartEvent {
  readonly kind: "start";
  readonly attempt: string;
  readonly parent: string | null;
  /** Last step of the parent that it builds on. */
  readonly branchStep: number | null;
  readonly timeMs: number;
  readonly reason: string;
}

/** One logged line: means over the steps since the last one, as Megatron-LM and the Hugging Face trainer print them. */
export interface PointEvent {
  readonly kind: "point";
  readonly attempt: string;
  readonly step: number;
  readonly timeMs: number;
  /** Steps since the last line whose loss was not finite. */
  readonly nanSteps: number;
  readonly values: {
    readonly loss: number;
    readonly grad_norm: number;
    readonly learning_rate: number;
    /** Seconds. */
    readonly step_time: number;
    readonly tokens_per_second: number;
    readonly tokens_consumed: number;
  };
}

export interface CheckpointEvent {
  readonly kind: "checkpoint";
  readonly attempt: string;
  readonly step: number;
  readonly timeMs: number;
  readonly path: string;
  readonly state: CheckpointState;
  readonly reason: string | null;
}

export interface EndEvent {
  readonly kind: "end";
  readonly attempt: string;
  readonly step: number;
  readonly timeMs: number;
  readonly outcome: "finished" | "crashed";
}

import type { Finding, RankPlacement } from "@trainwatch/core";
import type { DetectorEntry, MonitorContext } from "../contract.ts";

/**
 * One metric of all ranks at one step, as columns. A row of the matrix (step × ranks) that rank detectors read.
 * `values[rank]` is in the metric's own unit; `has[rank]` is 0 where the rank has sent none (the value is then NaN, which is not a reading) and 1 where it has,
 * NaN and infinities included. Both have the length `ranks`, the largest rank seen plus one.
 */
export interface RankStep {
  readonly metric: string;
  readonly step: number;
  /** Latest time that a rank gave for the step, epoch ms; null where none did. */
  readonly timeMs: number | null;
  readonly values: Float64Array;
  readonly has: Uint8Array;
}

/** What is known of the layout when a step is judged. Empty where nobody has told: all ranks are then one cohort, and every finding says so. */
export interface RankContext extends MonitorContext {
  readonly placements: readonly RankPlacement[];
}

/** One rank detector over one attempt. Same promises as `DetectorInstance`: deterministic, JSON-safe state (base64 of typed arrays is JSON-safe). */
export interface RankDetectorInstance {
  /** Complete steps, in ascending order for each metric. */
  observe(step: RankStep): readonly Finding[];
  /** The layout has become known or has changed: cohorts are made anew. */
  place(placements: readonly RankPlacement[]): void;
  finish(): readonly Finding[];
  state(): unknown;
  coverage(): { readonly sees: boolean; readonly why: string | null };
}

export interface RankDetectorEntry extends Omit<DetectorEntry, "create"> {
  create(context: RankContext, state?: unknown): RankDetectorInstance;
}

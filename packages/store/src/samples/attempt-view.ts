import type { Segment } from "./segments.ts";

/** Where a window looks in one attempt, and how it finds a place on its axis. */
export interface AttemptView {
  readonly attemptId: number;
  readonly segments: readonly Segment[];
  /** Whether the segments end where the window does: then no cell need be looked at for an end. */
  readonly endsInSteps: boolean;
  /** Cells up to this level are fine enough for the buckets. */
  readonly level: number;
  /** Position on the axis; undefined where it has none. */
  x(step: number, timeMs: number): number | undefined;
}

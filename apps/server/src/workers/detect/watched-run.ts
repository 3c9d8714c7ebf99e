import type { RunCursor } from "@trainwatch/store";
import type { ReviewedSteps } from "./review-advice.ts";
import type { RunWatch } from "./run-watch.ts";

/** A run under watch, as it is held between the steps. */
export interface WatchedRun {
  readonly watch: RunWatch;
  readonly cursor: RunCursor;
  /** The run's newest attempt when it was last looked at; null before any. */
  readonly newest: string | null;
  readonly reviewed: ReviewedSteps;
  /** When the states were stored last. */
  readonly storedAtMs: number;
}

import type { LiveMove } from "@trainwatch/core";

/** Where the server hears that runs have moved, be it by its own hand or another process's. */
export interface MoveFeed {
  /**
   * Moves from the call on, merged by run while the reader is slow, so that what waits is bounded by the number of runs.
   * Ends when the signal aborts or the server shuts down.
   */
  follow(signal: AbortSignal): AsyncIterable<LiveMove>;
  /** Tells every process that a run has moved. Never fails and never waits: a word lost here is found by those who look for themselves. */
  announce(move: LiveMove): void;
}

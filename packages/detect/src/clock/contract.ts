import type { Finding } from "@trainwatch/core";

/** What is known of an attempt at a moment, for what can only be told by the clock: that something has *not* happened. Times are epoch ms of the server's clock. */
export interface ClockFacts {
  readonly nowMs: number;
  /** Newest step of the attempt, and when the server saw it move. */
  readonly lastStep: number | null;
  readonly stepMovedAtMs: number | null;
  /** When anything of the run came last: a run that is silent as a whole is not known to hang. */
  readonly lastReceivedAtMs: number | null;
  /** Median seconds a step. */
  readonly stepTimeS: number | null;
  /** Optimizer steps between logged points; null or absent where unknown, which is taken for 1. */
  readonly logEvery?: number | null;
  /** A phase in which no step is due, from its event (`checkpoint-started`, `eval-started`), while it goes on. */
  readonly phase: { readonly kind: "checkpoint" | "eval"; readonly sinceMs: number } | null;
  /** Newest checkpoint of the attempt that is not known to be incomplete: when and at which step; null where there is none. */
  readonly checkpoint: { readonly step: number; readonly savedAtMs: number | null } | null;
  /** Newest checkpoint of the attempt that is known to be incomplete, and why; null or absent where there is none. */
  readonly incomplete?: { readonly step: number; readonly savedAtMs: number | null; readonly reason: string | null } | null;
  /** Steps between checkpoints as told by the run, else as the newest ones show; null where unknown. */
  readonly checkpointEvery: number | null;
  /** Share of the run's GPUs that move bytes over NVLink or the network now, 0 to 1; null where nobody measures it. */
  readonly trafficShare: number | null;
  readonly ended: boolean;
}

/** All clock detectors over one attempt. JSON-safe state, no clock of its own. */
export interface ClockWatch {
  /** @param rankSteps newest step of each rank that reports for itself; empty where none does */
  observe(facts: ClockFacts, rankSteps: ReadonlyMap<number, number>): readonly Finding[];
  state(): unknown;
}

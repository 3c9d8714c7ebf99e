import type { CauseFact, Finding, FindingPlace, Replay, Subject } from "@trainwatch/core";

/** A fact that no detector of the incident has stated, but that follows from what else is stored: earlier incidents of the node, other runs' spikes on the batch, a resume. */
export interface KnownFact extends CauseFact {
  /** Whom it is about; null: the run as a whole. */
  readonly subject: Subject | null;
  readonly place: FindingPlace | null;
}

export interface CauseInput {
  /** Findings of one incident, notes among them. */
  readonly findings: readonly Finding[];
  readonly facts: readonly KnownFact[];
  /** Replays of the incident: what people have tested since. */
  readonly replays: readonly Replay[];
}

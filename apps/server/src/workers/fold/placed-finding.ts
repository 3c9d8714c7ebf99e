import type { Finding } from "@trainwatch/core";

/** The run that a finding is put to. */
export interface FindingRun {
  readonly id: number;
  /** `project/name`. */
  readonly fullName: string;
  readonly cluster: string | null;
}

/** A finding that knows where its subject was and for whom it worked. */
export interface PlacedFinding {
  /** As its detector made it, with its place: how it is folded. What the fleet's detectors find has no step there. */
  readonly finding: Finding;
  /** As it is stored: what happened to hardware has the steps and the attempt of the run that it hit, so that charts and costs can show it. */
  readonly shown: Finding;
  /** Null: it hit no run that we watch. */
  readonly run: FindingRun | null;
  /** Which of the run's attempts was on it at the onset. */
  readonly attempt: string | null;
}

import type { CauseAssessment, Decision, FindingState, IncidentState, Label, Severity } from "@trainwatch/core";
import type { StoredAdvice } from "./advice-records.ts";
import type { IncidentStanding } from "./incident-standing.ts";
import type { RunFacts } from "./run-facts.ts";

/** An incident as lists and pages show it, with what costs and actions are made of. */
export interface StoredIncident extends IncidentStanding {
  readonly id: number;
  /** Null where what failed worked for no run that we watch. */
  readonly run: RunFacts | null;
  readonly attempt: string;
  readonly title: string;
  readonly severity: Severity;
  readonly state: IncidentState;
  readonly findingState: FindingState;
  /** Newest step of its attempt: where a fault that never ended stops to cost. */
  readonly attemptLastStep: number | null;
  readonly onsetStep: number | null;
  readonly onsetTimeMs: number | null;
  readonly detectedTimeMs: number | null;
  readonly endStep: number | null;
  readonly openedAtMs: number;
  readonly findingCount: number;
  readonly owner: string | null;
  readonly acknowledgedAtMs: number | null;
  readonly resolvedAtMs: number | null;
  readonly regressionOf: number | null;
  /** The elder incident that it turned out to be: that one has its findings, and goes on. */
  readonly mergedInto: number | null;
  /** Those that turned out to be this one. */
  readonly merged: readonly number[];
  readonly snoozedUntilMs: number | null;
  readonly flaps: number;
  /** When it was over, of faults that know no step. */
  readonly endTimeMs: number | null;
  readonly assessment: CauseAssessment | null;
  readonly labelled: { readonly label: Label; readonly reason: string; readonly by: string; readonly atMs: number } | null;
  /** Metric of the finding that the title speaks of. */
  readonly metric: string;
  /** The newest, and what was decided on it. */
  readonly advice: StoredAdvice | null;
  readonly decision: Decision | null;
}

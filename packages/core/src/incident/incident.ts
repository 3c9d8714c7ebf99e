import type { Finding } from "../finding.ts";
import type { Severity } from "../severity.ts";

/** An incident: findings that share a cause, with an owner and a state. */
export const INCIDENT_STATES = ["open", "acknowledged", "snoozed", "resolved"] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

/**
 * One incident as the reducer sees it. A store row maps to it one to one; what pages show beyond this
 * (title, onset, ongoing) is derived by `describeIncident` and never stored as a second truth.
 */
export interface Incident {
  /** The store's id; null before it is stored. */
  readonly id: number | null;
  /** `project/name`; null where what failed worked for no run that we watch. */
  readonly run: string | null;
  readonly attempt: string;
  readonly state: IncidentState;
  /** The worst it has ever been: it escalates and never falls back. */
  readonly severity: Severity;
  /** Earliest onset first; one entry a finding id. */
  readonly findings: readonly Finding[];
  /** The resolved incident whose fault has come back as this one. */
  readonly regressionOf: number | null;
  readonly owner: string | null;
  readonly openedAtMs: number;
  readonly acknowledgedAtMs: number | null;
  readonly snoozedUntilMs: number | null;
  readonly resolvedAtMs: number | null;
  /** How often it was over and came back. */
  readonly flaps: number;
}

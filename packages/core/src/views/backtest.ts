import type { Subject } from "../finding.ts";
import type { Severity } from "../severity.ts";
import type { DetectorFamily } from "./detectors.ts";
import type { Label } from "../rule.ts";

/** One time that a rule would have spoken on stored data. */
export interface BacktestFiring {
  readonly findingId: string;
  /** Null where it hit no run that we watch. */
  readonly runId: number | null;
  readonly run: string | null;
  readonly attempt: string;
  readonly subject: Subject;
  readonly severity: Severity;
  readonly summary: string;
  readonly onsetStep: number | null;
  readonly onsetTimeMs: number | null;
  readonly detectedStep: number | null;
  readonly detectedTimeMs: number | null;
  /** The incident of that time and place; null: nobody was told of it then. */
  readonly incidentId: number | null;
  readonly label: Label | null;
}

/** An incident of that time that stands in the records. */
export interface BacktestIncident {
  readonly incidentId: number;
  readonly title: string;
  readonly severity: Severity;
  readonly runId: number | null;
  readonly run: string | null;
  readonly label: Label | null;
}

/** What a rule would have said of stored runs, or of the fleet over some hours. */
export interface BacktestView {
  readonly detector: string;
  readonly family: DetectorFamily | "metric";
  /** Times that it would have told somebody; notes are counted apart. */
  readonly fired: number;
  readonly notes: number;
  /** The first ones, in the order of what was read. */
  readonly firings: readonly BacktestFiring[];
  /** Firings that fall on an incident in the records, and those that do not. */
  readonly matched: number;
  readonly fresh: number;
  /** Incidents in the records that this detector found then and would not have found. */
  readonly missed: readonly BacktestIncident[];
  /** Of the matched incidents by what people said of them. */
  readonly labels: { readonly right: number; readonly wrong: number; readonly unsure: number; readonly unlabelled: number };
  readonly read: {
    readonly runs: readonly { readonly runId: number; readonly run: string; readonly samples: number }[];
    readonly samples: number;
    readonly ticks: number;
    readonly fromMs: number | null;
    readonly toMs: number | null;
  };
  /** What stored data cannot bring back of it, each with its name: where the answer says less than the detector would. */
  readonly caveats: readonly string[];
  /** What was left out and why; null where all that was asked for was read. */
  readonly cut: string | null;
}

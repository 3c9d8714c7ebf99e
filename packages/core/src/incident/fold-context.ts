import type { Finding } from "../finding.ts";
import type { Incident } from "./incident.ts";

/** What is known when a finding arrives. */
export interface FoldContext {
  /**
   * `project/name` of the run that the finding is of: a run's own, or the run that the GPU or node worked for at the finding's onset. Null where it worked for none
   * that we watch.
   */
  readonly run: string | null;
  /** The attempt that then ran there: the incident's, where a finding of the fleet opens it. A run's own findings name theirs. */
  readonly attempt?: string | null;
  /** Incidents of the run, open and resolved, of any attempt; and for findings of the fleet those that hold a finding of the same node, or are of no run. */
  readonly incidents: readonly Incident[];
  /** Findings that belong to no incident, of the run and of its nodes: `info` ones so far. */
  readonly notes: readonly Finding[];
  /** Optimizer steps between logged points of the finding's metric; 1 for a finding without steps. */
  readonly logEvery: number;
  readonly nowMs: number;
}

import type { ClusterFaultKind, ParameterOf } from "./fault-kinds.ts";

/** When a fault begins (exactly one of `step` and `seconds` after the run's start) and how long it lasts; to the end where nothing is said. */
export interface FaultTime {
  /** First optimizer step that is not as it would have been. */
  readonly step?: number;
  readonly seconds?: number;
  readonly forSteps?: number;
  readonly forSeconds?: number;
}

/** Where it sits: a rank by `rank`, or by `node` and `gpu`; numbers from 0. Which of them a kind takes stands in its table. */
export interface FaultSite {
  readonly rank?: number;
  readonly node?: number;
  readonly gpu?: number;
  readonly link?: number;
  readonly port?: number;
}

/** One entry of a faults file: its kind, when, where, and the kind's own numbers. */
export type ClusterFault = {
  readonly [K in ClusterFaultKind]: { readonly kind: K } & FaultTime & FaultSite & Partial<Readonly<Record<ParameterOf<K>, number>>>;
}[ClusterFaultKind];

export type ClusterFaultOf<K extends ClusterFaultKind> = Extract<ClusterFault, { readonly kind: K }>;

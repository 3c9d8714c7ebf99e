import type { ClusterPlan } from "./cluster-plan.ts";
import { batchAt } from "./data-order.ts";
import type { ActiveFault, StepMoment } from "./fault-clock.ts";

/** Global batch id that a step reads. A sampler that does not resume begins anew. */
export function batchOf({ seed, batchesPerEpoch }: ClusterPlan, { step }: StepMoment, active: readonly ActiveFault[]): number {
  const anew = active.find(({ placed }) => placed.kind === "resume-data-order");
  return batchAt(seed, batchesPerEpoch, anew === undefined ? step - 1 : anew.age);
}

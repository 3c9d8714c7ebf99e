import type { SlowFault } from "../fault.ts";
import { completePlan } from "../plan.ts";
import type { PlanInput } from "../plan.ts";
import { simulateRun } from "../simulate-run.ts";
import type { FaultOf } from "./fleet-fault.ts";

/**
 * What a GPU that throttles does to the steps of its job: every rank waits for the slowest. Put it among the faults of the run, so that the
 * run's log and the GPU's clocks tell one story. Null where the run is not going on then, or the fault slows nothing.
 */
export function slowSteps(fault: FaultOf<"hot-gpu">, input: PlanInput): SlowFault | null {
  const factor = fault.slowsStepBy ?? 1;
  if (factor <= 1) return null;
  const plan = completePlan(input);
  for (const event of simulateRun(plan)) {
    if (event.kind !== "point" || event.timeMs < fault.atMs) continue;
    if (fault.untilMs !== undefined && event.timeMs >= fault.untilMs) return null;
    const lengthS = ((fault.untilMs ?? Number.POSITIVE_INFINITY) - fault.atMs) / 1000;
    const steps = Math.min(plan.steps - event.step + 1, Math.round(lengthS / (plan.stepTimeS * factor)));
    return { kind: "slow", step: event.step, attempt: event.attempt, factor, steps };
  }
  return null;
}

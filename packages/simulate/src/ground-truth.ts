import { planAttempts } from "./attempts.ts";
import type { PlannedAttempt } from "./attempts.ts";
import { transientSteps } from "./effects.ts";
import type { Fault, GroundTruth } from "./fault.ts";
import { completePlan } from "./plan.ts";
import type { PlanInput, SimulationPlan } from "./plan.ts";

/** A fault with the attempt it strikes first. */
export interface Strike {
  readonly fault: Exclude<Fault, { readonly kind: "restart" }>;
  readonly attempt: string;
}

/** Faults with the attempts they strike; those at steps that no attempt passes are left out. */
export function strikesOf(plan: SimulationPlan, attempts: readonly PlannedAttempt[]): readonly Strike[] {
  return plan.faults.flatMap((fault): Strike[] => {
    if (fault.kind === "restart") return [];
    const passing = attempts.filter((attempt) => attempt.firstStep <= fault.step && fault.step <= attempt.lastStep);
    // A bad batch strikes whoever reads it; what lives in the weights strikes once and is inherited.
    const struck =
      fault.attempt === undefined
        ? fault.kind === "outlier"
          ? passing
          : passing.slice(0, 1)
        : passing.filter((attempt) => attempt.name === fault.attempt);
    return struck.map((attempt) => ({ fault, attempt: attempt.name }));
  });
}

/** What `simulateRun` of the same plan puts in, in order of onset. */
export function groundTruth(input: PlanInput): readonly GroundTruth[] {
  const plan = completePlan(input);
  const attempts = planAttempts(plan);
  const faults = strikesOf(plan, attempts).map((strike) => truthOf(strike, plan, attempts));
  const restarts = attempts.slice(1).map((next, index) => restartTruth(attempts[index] ?? next, next));
  return [...faults, ...restarts].sort((a, b) => a.attempt.localeCompare(b.attempt, "en", { numeric: true }) || a.onsetStep - b.onsetStep);
}

const OUTCOME = {
  spike: "recovered",
  "spike-shift": "shifted",
  divergence: "diverged",
  ramp: "shifted",
  nan: "non-finite",
  outlier: "recovered",
  slow: "recovered",
  "grad-rise": "recovered",
} satisfies Record<Strike["fault"]["kind"], GroundTruth["outcome"]>;

function truthOf({ fault, attempt }: Strike, plan: SimulationPlan, attempts: readonly PlannedAttempt[]): GroundTruth {
  const lead = "gradLeadSteps" in fault ? (fault.gradLeadSteps ?? 0) : 0;
  const length = transientSteps(fault, plan.noise);
  const end = length === null ? null : fault.step + length;
  const last = attempts.find((candidate) => candidate.name === attempt)?.lastStep ?? plan.steps;
  const onsetStep = fault.step - lead;
  return {
    kind: fault.kind,
    attempt,
    metric: fault.kind === "slow" ? "step_time" : fault.kind === "grad-rise" || lead > 0 ? "grad_norm" : "loss",
    onsetStep,
    lossOnsetStep: fault.kind === "slow" || fault.kind === "grad-rise" ? null : fault.step,
    endStep: end === null || end > last ? null : end,
    outcome: OUTCOME[fault.kind],
    shift: fault.kind === "spike-shift" ? fault.shift : fault.kind === "ramp" ? fault.perStep * fault.steps : null,
    firstLoggedStep: Math.ceil(onsetStep / plan.logEvery) * plan.logEvery,
    nextAttempt: null,
    branchStep: null,
  };
}

function restartTruth(died: PlannedAttempt, next: PlannedAttempt): GroundTruth {
  return {
    kind: "restart",
    attempt: died.name,
    metric: "step",
    onsetStep: died.lastStep,
    lossOnsetStep: null,
    endStep: died.lastStep,
    outcome: "restarted",
    shift: null,
    firstLoggedStep: died.lastStep,
    nextAttempt: next.name,
    branchStep: next.branchStep,
  };
}

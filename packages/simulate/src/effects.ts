import type { Fault } from "./fault.ts";

/** What a fault does to one step, on top of the undisturbed run. */
export interface Effect {
  /** Nats added to the loss; NaN makes it NaN. */
  readonly loss: number;
  readonly gradFactor: number;
  readonly timeFactor: number;
}

const NONE: Effect = { loss: 0, gradFactor: 1, timeFactor: 1 };

/** A jump takes this many steps to its peak: real ones are not a step function. */
const RISE_STEPS = 3;
/** How the norm answers to a loss that is off by its own size: BLOOM-176B's rose some 60-fold for a loss of 2.3 times. */
const GRAD_PER_RELATIVE_LOSS = 40;
/** Growth of a leading norm in its first step (BLOOM-176B: 0.242 to 0.947) and in each one after. */
const LEAD_FIRST = 3.9;
const LEAD_GROWTH = 1.5;

/** @param baseLoss undisturbed loss of the step, nats */
export function effectOf(fault: Fault, step: number, baseLoss: number): Effect {
  const age = step - fault.step;
  switch (fault.kind) {
    case "nan":
      return age >= 0 && (fault.steps === null || age < fault.steps) ? { loss: Number.NaN, gradFactor: Number.NaN, timeFactor: 1 } : NONE;
    case "outlier":
      return age === 0 ? withGradient((fault.factor - 1) * baseLoss, baseLoss, 0.1) : NONE;
    case "slow":
      return age >= 0 && age < fault.steps ? { ...NONE, timeFactor: fault.factor } : NONE;
    case "grad-rise":
      return age >= 0 && age < fault.steps ? { ...NONE, gradFactor: fault.factor } : NONE;
    case "restart":
      return NONE;
    default:
      return age < 0 ? leadEffect(fault.gradLeadSteps ?? 0, -age) : withGradient(lossRise(fault, age, baseLoss), baseLoss, 1);
  }
}

function leadEffect(lead: number, stepsBefore: number): Effect {
  if (stepsBefore > lead) return NONE;
  return { ...NONE, gradFactor: LEAD_FIRST * LEAD_GROWTH ** (lead - stepsBefore) };
}

function withGradient(loss: number, baseLoss: number, share: number): Effect {
  return { loss, gradFactor: 1 + GRAD_PER_RELATIVE_LOSS * share * Math.abs(loss / baseLoss), timeFactor: 1 };
}

type LossShape = Extract<Fault, { readonly kind: "spike" | "spike-shift" | "divergence" | "ramp" }>;

function lossRise(fault: LossShape, age: number, baseLoss: number): number {
  switch (fault.kind) {
    case "spike":
      return (fault.factor - 1) * baseLoss * pulse(age, fault.halfLifeSteps);
    case "spike-shift":
      return fault.shift * rise(age) + ((fault.factor - 1) * baseLoss - fault.shift) * pulse(age, fault.halfLifeSteps);
    case "divergence":
      return (fault.ceiling - baseLoss) * (1 - Math.exp(-(age + 1) / fault.growthSteps));
    case "ramp":
      return fault.perStep * Math.min(age + 1, fault.steps);
  }
}

function rise(age: number): number {
  return Math.min(1, (age + 1) / RISE_STEPS);
}

function pulse(age: number, halfLifeSteps: number): number {
  return rise(age) * 2 ** (-Math.max(0, age + 1 - RISE_STEPS) / halfLifeSteps);
}

/**
 * Steps from the onset to the last one that is off by more than `noise` (relative to the loss); null where it never comes back.
 */
export function transientSteps(fault: Fault, noise: number): number | null {
  switch (fault.kind) {
    case "spike":
    case "spike-shift":
      return RISE_STEPS + Math.ceil(fault.halfLifeSteps * Math.log2(Math.max(1, (fault.factor - 1) / noise)));
    case "nan":
      return fault.steps === null ? null : fault.steps - 1;
    case "slow":
    case "grad-rise":
      return fault.steps - 1;
    case "outlier":
    case "restart":
      return 0;
    case "divergence":
    case "ramp":
      return null;
  }
}

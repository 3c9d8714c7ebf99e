import type { SimulationPlan } from "./plan.ts";

/** Loss of an undisturbed step, nats: a power law. */
export function lossCurve(plan: SimulationPlan, step: number): number {
  return plan.floorLoss + (plan.startLoss - plan.floorLoss) * (1 + step / plan.bendSteps) ** -0.5;
}

/** Gradient norm of an undisturbed step. Early gradients are large and calm down as the loss curve bends. */
export function gradientCurve(plan: SimulationPlan, step: number): number {
  return plan.gradNorm * (1 + 6 / (1 + step / plan.bendSteps));
}

/** Linear warm-up, then a cosine to a tenth of the peak. */
export function learningRate(plan: SimulationPlan, step: number): number {
  if (step < plan.warmupSteps) return (plan.peakLearningRate * step) / plan.warmupSteps;
  const progress = (step - plan.warmupSteps) / Math.max(1, plan.steps - plan.warmupSteps);
  return plan.peakLearningRate * (0.1 + 0.45 * (1 + Math.cos(Math.PI * Math.min(1, progress))));
}

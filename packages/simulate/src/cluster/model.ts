import { gradientCurve, learningRate, lossCurve } from "../curves.ts";
import { effectOf } from "../effects.ts";
import { randomSource } from "../random.ts";
import { batchOf } from "./batch-of.ts";
import type { ClusterPlan } from "./cluster-plan.ts";
import { batchAt } from "./data-order.ts";
import type { ActiveFault, StepMoment } from "./fault-clock.ts";
import { numberOf } from "./placed-fault.ts";
import type { PlacedFault } from "./placed-fault.ts";
import type { ModelMoment } from "./rank-signals.ts";

/** The model of a run as its steps make it; one attempt after the other. */
export interface Model {
  at(moment: StepMoment, active: readonly ActiveFault[]): ModelMoment & { readonly learningRate: number; readonly lossScale: number };
  /** A new attempt goes on from a step of the one before. */
  resume(from: number): void;
}

/** Relative spread of the gradient norm of the whole model from one step to the next. */
const GRAD_NOISE = 0.06;
/** Steps until a wrong learning rate shows in full, and nats by which each factor of e moves the loss. */
const RATE_STEPS = 40;
const RATE_NATS = 0.12;
const LOSS_SCALE = 65_536;

export function modelOf(plan: ClusterPlan, faults: readonly PlacedFault[]): Model {
  const { run } = plan;
  let memory = 0;
  let isNan = false;
  let resumedFrom = 0;
  // Faults of the model live in the weights: with a step before their own, they are gone.
  const inherited = new Set<number>();
  const bad = badBatches(plan, faults);

  return {
    resume(from) {
      resumedFrom = from;
      isNan = false;
      memory = 0;
      run.faults.forEach((fault, index) => {
        if (fault.step > from) inherited.delete(index);
      });
    },
    at(moment, active) {
      const random = randomSource(plan.seed, 0x61, moment.attempt, moment.step);
      const base = lossCurve(run, moment.step);
      const batch = batchOf(plan, moment, active);
      memory = run.noiseMemory * memory + Math.sqrt(1 - run.noiseMemory ** 2) * random.heavyTailed();
      const rate = rateOf(plan, moment, active, resumedFrom);
      let loss = base * Math.exp(run.noise * memory) * (bad.get(batch) ?? 1);
      let gradNorm = gradientCurve(run, moment.step) * Math.exp(GRAD_NOISE * random.heavyTailed());
      if (bad.has(batch)) gradNorm *= 1 + 3 * Math.abs((bad.get(batch) ?? 1) - 1);
      run.faults.forEach((fault, index) => {
        if (moment.step === fault.step) inherited.add(index);
        if (moment.step >= fault.step && !inherited.has(index)) return;
        const effect = effectOf(fault, moment.step, base);
        loss += effect.loss;
        gradNorm *= effect.gradFactor;
      });
      for (const { placed, age } of active) {
        if (placed.kind === "lr-bug" || placed.kind === "resume-learning-rate") {
          const shown = 1 - Math.exp(-age / RATE_STEPS);
          loss += RATE_NATS * Math.abs(Math.log(rate.factor)) * shown;
          gradNorm *= 1 + 0.4 * Math.abs(Math.log(rate.factor)) * shown;
        }
        if (placed.kind === "resume-data-order") loss += numberOf(placed, "resume-data-order", "shift") * Math.min(1, (age + 1) / 3);
        if (placed.kind === "nan" && age === 1 && numberOf(placed, "nan", "skipped") === 0) isNan = true;
      }
      if (isNan) [loss, gradNorm] = [Number.NaN, Number.NaN];
      return { batch, loss, gradNorm, learningRate: rate.value, lossScale: lossScaleOf(active) };
    },
  };
}

/** The batches that bad-batch faults name by the step that reads them first. */
function badBatches(plan: ClusterPlan, faults: readonly PlacedFault[]): ReadonlyMap<number, number> {
  const factors = new Map<number, number>();
  for (const placed of faults) {
    if (placed.kind !== "bad-batch" || placed.fault.step === undefined) continue;
    factors.set(batchAt(plan.seed, plan.batchesPerEpoch, placed.fault.step - 1), numberOf(placed, "bad-batch", "factor"));
  }
  return factors;
}

function rateOf(
  { run }: ClusterPlan,
  { step }: StepMoment,
  active: readonly ActiveFault[],
  resumedFrom: number,
): { readonly value: number; readonly factor: number } {
  const scheduled = learningRate(run, step);
  let value = scheduled;
  for (const { placed } of active) {
    if (placed.kind === "lr-bug") value *= numberOf(placed, "lr-bug", "factor");
    // Its warm-up begins anew.
    if (placed.kind === "resume-learning-rate") value = learningRate(run, step - resumedFrom);
  }
  return { value, factor: Math.max(1e-3, value / scheduled) };
}

function lossScaleOf(active: readonly ActiveFault[]): number {
  const collapse = active.find(({ placed }) => placed.kind === "loss-scale-collapse");
  return collapse === undefined ? LOSS_SCALE : Math.max(2 ** -14, LOSS_SCALE * 2 ** -(collapse.age + 1));
}

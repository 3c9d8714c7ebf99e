import { hash, keyOf, uniform } from "../fleet/noise.ts";
import { randomSource } from "../random.ts";
import type { RandomSource } from "../random.ts";
import type { ActiveFault, StepMoment } from "./fault-clock.ts";
import { isStruck, numberOf } from "./placed-fault.ts";
import type { ClusterWorld } from "./world.ts";

/** What the model does at a step, before ranks differ. */
export interface ModelMoment {
  readonly batch: number;
  /** Nats; NaN where the weights are NaN. */
  readonly loss: number;
  /** Gradient norm of the whole model, after the all-reduce. */
  readonly gradNorm: number;
}

/** What ranks say of the model, before the all-reduce; columns by rank. */
export interface RankSignals {
  readonly loss: Float64Array;
  readonly gradNorm: Float64Array;
  /** Null but for steps at which parameters are hashed. */
  readonly hash: Float64Array | null;
  readonly mismatches: Float64Array;
  /** Null where the model has no experts. */
  readonly expertLoad: Float64Array | null;
}

/** Local gradients are noisier than their mean, hence longer. */
export const LOCAL_GRADIENT = 2.6;
/** How much of the noise is the replica's batch, which all of its ranks see, and how much each rank's own. */
const LOSS_OF_BATCH = 0.8;
const LOSS_OF_RANK = 0.6;
const GRAD_OF_BATCH = 0.5;
const GRAD_OF_RANK = 0.85;
/** 1.4826 MAD of the sum of two Student t4's in these parts, each of unit variance, measured on 1e6 draws. */
const LOSS_ROBUST = 0.839;
const GRAD_ROBUST = 0.819;
const OUTLIER_LEAST = 8;
const OUTLIER_SPAN = 12;
const OUTLIER_OF_GRADIENT = 0.6;
const EXPERT_RATIO = 1.28;

export function rankSignals(world: ClusterWorld, moment: StepMoment, model: ModelMoment, active: readonly ActiveFault[]): RankSignals {
  const { plan, dp, lossOffset, gradOffset } = world;
  const { ranks, noise } = plan;
  const data = dataNoise(world, model.batch);
  const own = randomSource(plan.seed, 0x51, moment.attempt, moment.step);
  const loss = new Float64Array(ranks);
  const gradNorm = new Float64Array(ranks);
  for (let rank = 0; rank < ranks; rank++) {
    const replica = at(dp, rank);
    const lossNoise = at(data.loss, replica) + (LOSS_OF_RANK / LOSS_ROBUST) * own.heavyTailed() + at(lossOffset, rank);
    const gradNoise = at(data.grad, replica) + (GRAD_OF_RANK / GRAD_ROBUST) * own.heavyTailed() + at(gradOffset, rank);
    loss[rank] = model.loss * Math.exp(noise.loss * bounded(lossNoise));
    gradNorm[rank] = LOCAL_GRADIENT * model.gradNorm * Math.exp(noise.grad * bounded(gradNoise));
  }
  const signals: RankSignals = {
    loss,
    gradNorm,
    hash: moment.step % plan.hashEvery === 0 ? parameterHashes(world, moment) : null,
    mismatches: new Float64Array(ranks),
    expertLoad: plan.layout.ep > 1 ? expertLoads(ranks, own) : null,
  };
  for (const fault of active) disturb(world, moment, fault, signals);
  if (plan.lossGrid > 0) for (let rank = 0; rank < ranks; rank++) loss[rank] = Math.round(at(loss, rank) / plan.lossGrid) * plan.lossGrid;
  return signals;
}

/** A logarithm beyond so many standard deviations grows more slowly: a gradient of e^9 times its peers' is no noise. */
const FREE = 12;
function bounded(deviations: number): number {
  const beyond = Math.abs(deviations) - FREE;
  return beyond <= 0 ? deviations : Math.sign(deviations) * (FREE + 8 * Math.log1p(beyond / 8));
}

/** What the batch does to each replica, in standard deviations: the same whenever it is read. */
function dataNoise({ plan, replicas }: ClusterWorld, batch: number): { readonly loss: Float64Array; readonly grad: Float64Array } {
  const random = randomSource(plan.seed, 0x52, batch);
  const loss = new Float64Array(replicas);
  const grad = new Float64Array(replicas);
  const { outlierEvery } = plan.noise;
  for (let replica = 0; replica < replicas; replica++) {
    const isOutlier = outlierEvery > 0 && random.uniform() < 1 / outlierEvery;
    const outlier = isOutlier ? OUTLIER_LEAST + OUTLIER_SPAN * random.uniform() : 0;
    loss[replica] = (LOSS_OF_BATCH / LOSS_ROBUST) * random.heavyTailed() + outlier;
    grad[replica] = (GRAD_OF_BATCH / GRAD_ROBUST) * random.heavyTailed() + OUTLIER_OF_GRADIENT * outlier;
  }
  return { loss, grad };
}

/** Replicas hold the same parameters: one hash a stage and tensor rank. Below 2^53. */
function parameterHashes({ plan, pp, tp }: ClusterWorld, { attempt, step }: StepMoment): Float64Array {
  const hashes = new Float64Array(plan.ranks);
  for (let rank = 0; rank < plan.ranks; rank++) hashes[rank] = hashOf(keyOf(plan.seed, 0x4a54, attempt, step, at(pp, rank), at(tp, rank)));
  return hashes;
}

function hashOf(key: number): number {
  return (hash(key, 1) % 2 ** 21) * 2 ** 32 + hash(key, 2);
}

function expertLoads(ranks: number, random: RandomSource): Float64Array {
  const ratio = EXPERT_RATIO * Math.exp(0.03 * random.normal());
  return Float64Array.from({ length: ranks }, () => ratio * Math.exp(0.02 * random.normal()));
}

function disturb({ plan }: ClusterWorld, { tick, step }: StepMoment, { placed, age }: ActiveFault, signals: RankSignals): void {
  switch (placed.kind) {
    case "silent-error": {
      const number = (name: Parameters<typeof numberOf<"silent-error">>[2]): number => numberOf(placed, "silent-error", name);
      for (const rank of placed.ranks) {
        if (number("hash") === 1 && signals.hash !== null) signals.hash[rank] = hashOf(keyOf(placed.key, step, rank));
        if (!isStruck(placed, number("share"), tick)) continue;
        if (number("gradOnly") === 0) scale(signals.loss, rank, Math.exp(plan.noise.loss * number("sigma")));
        if (number("lossOnly") === 0) scale(signals.gradNorm, rank, Math.exp(plan.noise.grad * number("sigma")));
        if (number("recompute") === 1) signals.mismatches[rank] = 1 + Math.floor(3 * uniform(placed.key ^ 0x13, tick));
      }
      return;
    }
    case "replica-drift":
      if (signals.hash !== null) for (const rank of placed.ranks) signals.hash[rank] = hashOf(keyOf(placed.key, step, rank));
      return;
    case "nan":
      if (age === 0)
        for (const rank of placed.ranks) {
          signals.loss[rank] = Number.NaN;
          signals.gradNorm[rank] = Number.NaN;
        }
      return;
    case "expert-imbalance":
      for (let rank = 0; rank < (signals.expertLoad?.length ?? 0); rank++)
        if (signals.expertLoad !== null) scale(signals.expertLoad, rank, numberOf(placed, "expert-imbalance", "ratio") / EXPERT_RATIO);
      return;
    default:
  }
}

function at(column: Float64Array | Int32Array, place: number): number {
  return column[place] ?? 0;
}

function scale(column: Float64Array, place: number, factor: number): void {
  column[place] = at(column, place) * factor;
}

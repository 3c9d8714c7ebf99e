import { AppError } from "@trainwatch/core";
import type { FleetFault } from "../fleet/fleet-fault.ts";
import { completePlan } from "../plan.ts";
import type { PlanInput, SimulationPlan } from "../plan.ts";
import { checkFaults } from "./check-faults.ts";
import type { ClusterFault } from "./cluster-fault.ts";
import type { ParallelLayout } from "./layout.ts";

/** A run on a cluster, rank by rank. Same plan, same run on every machine. */
export interface ClusterPlan {
  readonly seed: number;
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly ranks: number;
  readonly layout: ParallelLayout;
  /** Length, curves, pace and checkpoints; `stepTimeS` is what an undisturbed step takes about. Its faults are of the model, such as spikes. */
  readonly run: SimulationPlan;
  readonly batchesPerEpoch: number;
  /** Each so many steps the ranks hash their parameters. */
  readonly hashEvery: number;
  readonly noise: RankNoise;
  /** Standard deviation of the log of a replica's sequence load (sum of squared lengths) at a step. */
  readonly sequenceSpread: number;
  /** Share by which the pace swings over a day (Llama 3: 1 to 2 %). */
  readonly diurnal: number;
  /** Share of rank-steps that never arrive. */
  readonly missing: number;
  /** The grid on which ranks report their loss, nats, as bf16 has it; 0 for none. */
  readonly lossGrid: number;
  /** Standard deviation of what node clocks are off by, ms. */
  readonly clockSkewMs: number;
  /** Seconds that saving a checkpoint takes. */
  readonly saveS: number;
  readonly faults: readonly ClusterFault[];
  /** What is wrong with the nodes alone, beside what `faults` do to them. */
  readonly fleetFaults: readonly FleetFault[];
}

/** How ranks differ. Standard deviations are robust ones (1.4826 MAD) of the logarithm at one step; tails are Student t4's. */
export interface RankNoise {
  readonly loss: number;
  readonly grad: number;
  /** Spread of each rank's standing offset, in units of the noise. */
  readonly offset: number;
  /** About once in so many rank-steps the data make a rank's loss an outlier of 8 to 20 standard deviations; 0 for never. */
  readonly outlierEvery: number;
  /** Spread of the time of one operation from step to step. */
  readonly time: number;
}

export type ClusterInput = { readonly seed: number; readonly nodes: number } & Partial<
  Omit<ClusterPlan, "seed" | "nodes" | "ranks" | "layout" | "run" | "noise"> & {
    readonly layout: Partial<ParallelLayout>;
    readonly run: Omit<PlanInput, "seed">;
    readonly noise: Partial<RankNoise>;
  }
>;

const NOISE = { loss: 0.028, grad: 0.11, offset: 1, outlierEvery: 640, time: 0.004 } satisfies RankNoise;
const DEFAULTS = {
  gpusPerNode: 8,
  batchesPerEpoch: 1_000_000,
  hashEvery: 50,
  sequenceSpread: 0.15,
  diurnal: 0,
  missing: 0,
  lossGrid: 0,
  clockSkewMs: 3,
  saveS: 12,
  faults: [],
  fleetFaults: [],
} satisfies Partial<ClusterPlan>;

/** @throws AppError `bad-request` naming what cannot be simulated, an entry of the faults by its number */
export function completeClusterPlan(input: ClusterInput): ClusterPlan {
  const { gpusPerNode } = { ...DEFAULTS, ...input };
  checkRange("nodes", input.nodes, 1, 16_384);
  checkRange("GPUs a node", gpusPerNode, 1, 16);
  const ranks = input.nodes * gpusPerNode;
  const layout = { tp: Math.min(8, gpusPerNode), pp: 1, ep: 1, ...input.layout };
  checkLayout(layout, ranks);
  const run = completePlan({ ...input.run, gpus: ranks, seed: input.seed });
  const plan = { ...DEFAULTS, ...input, ranks, layout, run, noise: { ...NOISE, ...input.noise } };
  checkRange("batches an epoch", plan.batchesPerEpoch, 1, 90_000_000);
  checkRange("steps between parameter hashes", plan.hashEvery, 1, Number.MAX_SAFE_INTEGER);
  if (run.faults.some(({ kind }) => kind === "restart"))
    throw new AppError("bad-request", "A cluster run restarts by a fault of its cluster, not by one of its model.");
  if (!(plan.missing >= 0 && plan.missing < 1))
    throw new AppError("bad-request", `The missing share must lie in [0, 1), not ${plan.missing}.`);
  checkFaults(plan);
  return plan;
}

function checkLayout({ tp, pp, ep }: ParallelLayout, ranks: number): void {
  for (const [name, value] of Object.entries({ tp, pp, ep })) checkRange(name, value, 1, ranks);
  const replicas = ranks / (tp * pp);
  if (!Number.isInteger(replicas))
    throw new AppError("bad-request", `${ranks} ranks cannot be parted into ${pp} pipeline stages of tensor groups of ${tp}.`);
  if (!Number.isInteger(replicas / ep))
    throw new AppError("bad-request", `${replicas} replicas cannot be parted into ${ep} expert groups.`);
}

function checkRange(what: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new AppError("bad-request", `The simulated cluster needs a whole number from ${least} to ${most} for ${what}, not ${value}.`);
}

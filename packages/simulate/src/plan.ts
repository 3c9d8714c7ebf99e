import { AppError } from "@trainwatch/core";
import type { Fault } from "./fault.ts";

/** A simulated run. Every field has a default but the seed. */
export interface SimulationPlan {
  readonly seed: number;
  /** The last step of the last attempt. */
  readonly steps: number;
  readonly logEvery: number;
  /** Loss in nats at step 0 and where the power law would end. */
  readonly startLoss: number;
  readonly floorLoss: number;
  /** Steps after which the power law has fallen noticeably; smaller is faster. */
  readonly bendSteps: number;
  /** Standard deviation of the log loss of one step, and how much of it carries over to the next (AR(1)). */
  readonly noise: number;
  readonly noiseMemory: number;
  readonly gradNorm: number;
  readonly peakLearningRate: number;
  readonly warmupSteps: number;
  /** Seconds a step takes. */
  readonly stepTimeS: number;
  readonly tokensPerStep: number;
  /** GPUs that the launch banner names. */
  readonly gpus: number;
  readonly checkpointEvery: number;
  /** Checkpoint steps whose save lacks a shard. */
  readonly incompleteCheckpoints: readonly number[];
  /** Each so many-th checkpoint is verified; 0 verifies none. */
  readonly verifyEvery: number;
  /** Epoch milliseconds at which the first attempt starts. */
  readonly startTimeMs: number;
  readonly faults: readonly Fault[];
}

const DEFAULTS = {
  steps: 10_000,
  logEvery: 1,
  startLoss: 10.9,
  floorLoss: 1.6,
  bendSteps: 120,
  noise: 0.012,
  noiseMemory: 0.2,
  gradNorm: 0.35,
  peakLearningRate: 3e-4,
  warmupSteps: 500,
  stepTimeS: 4.2,
  tokensPerStep: 4_194_304,
  gpus: 64,
  checkpointEvery: 500,
  incompleteCheckpoints: [],
  verifyEvery: 4,
  startTimeMs: Date.UTC(2026, 0, 5, 8),
  faults: [],
} satisfies Omit<SimulationPlan, "seed">;

export type PlanInput = Partial<SimulationPlan> & { readonly seed: number };

/** @throws AppError `bad-request` naming the field that cannot be simulated. */
export function completePlan(input: PlanInput): SimulationPlan {
  const plan: SimulationPlan = { ...DEFAULTS, ...input };
  const positive = ["steps", "logEvery", "bendSteps", "stepTimeS", "tokensPerStep", "checkpointEvery", "startLoss", "gradNorm"] as const;
  for (const field of positive) {
    if (!(plan[field] > 0)) throw new AppError("bad-request", `The simulation needs ${field} above zero, not ${plan[field]}.`);
  }
  for (const field of ["seed", "steps", "logEvery", "checkpointEvery", "warmupSteps", "gpus"] as const) {
    if (!Number.isSafeInteger(plan[field]))
      throw new AppError("bad-request", `The simulation needs a whole number for ${field}, not ${plan[field]}.`);
  }
  if (!(plan.noiseMemory >= 0 && plan.noiseMemory < 1))
    throw new AppError("bad-request", `noiseMemory must lie in [0, 1), not ${plan.noiseMemory}.`);
  for (const fault of plan.faults) {
    if (!Number.isSafeInteger(fault.step) || fault.step < 1)
      throw new AppError("bad-request", `A fault needs a whole step from 1 on, not ${fault.step}.`);
    if (fault.kind === "restart" && (fault.resumeFrom > fault.step || fault.resumeFrom < 0)) {
      throw new AppError(
        "bad-request",
        `A restart after step ${fault.step} cannot resume from ${fault.resumeFrom}: that step was not reached.`,
      );
    }
  }
  return plan;
}

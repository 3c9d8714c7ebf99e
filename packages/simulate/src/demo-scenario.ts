import { demoLive, demoPast } from "./demo-cluster.ts";
import type { DemoClusterRun, DemoLive } from "./demo-cluster.ts";
import type { Fault, GroundTruth } from "./fault.ts";
import { groundTruth } from "./ground-truth.ts";
import type { PlanInput } from "./plan.ts";
import { completePlan } from "./plan.ts";
import type { SimulationPlan } from "./plan.ts";
import { randomSource } from "./random.ts";

export interface DemoRun {
  readonly project: string;
  readonly name: string;
  readonly plan: SimulationPlan;
  readonly truth: readonly GroundTruth[];
  /** Shape of `runMetadataSchema`. */
  readonly metadata: {
    readonly gpus: number;
    readonly tokensPerStep: number;
    readonly targetSteps: number;
    readonly checkpointEvery: number;
    readonly cluster: string;
  };
}

export interface DemoScenario {
  /** Finished before `nowMs`; push all of their events at once. */
  readonly history: readonly DemoRun[];
  /** Finished too, simulated rank by rank. */
  readonly past: DemoClusterRun;
  readonly live: DemoLive;
}

const DAY_MS = 86_400_000;

/** Several finished runs and one live run, placed in time before and after `nowMs`. Same seed and time, same scenario. */
export function demoScenario(seed: number, nowMs: number): DemoScenario {
  const random = randomSource(seed, 77);
  const runSeed = (): number => Math.floor(random.uniform() * 2 ** 31);
  const run = (name: string, daysAgo: number, size: DemoSize, faults: readonly Fault[], over: Partial<SimulationPlan> = {}): DemoRun =>
    demoRun(name, size, { seed: runSeed(), startTimeMs: Math.round(nowMs - daysAgo * DAY_MS), faults, ...over });
  return {
    history: [
      run("small-1b-a", 9, SMALL, []),
      run("small-1b-b", 7, SMALL, [
        { kind: "outlier", step: 5_210, factor: 1.5 },
        { kind: "spike", step: 8_240, factor: 2.1, halfLifeSteps: 14, gradLeadSteps: 3 },
      ]),
      run(
        "medium-8b",
        5,
        MEDIUM,
        [
          { kind: "spike-shift", step: 6_130, factor: 1.9, halfLifeSteps: 20, shift: 0.12, gradLeadSteps: 4 },
          { kind: "restart", step: 6_420, resumeFrom: 5_750, downtimeS: 660, reason: "rolled back to 5,750 after a loss spike" },
          { kind: "slow", step: 9_000, factor: 1.4, steps: 220 },
        ],
        { incompleteCheckpoints: [6_000] },
      ),
      run(
        "medium-8b-lr2",
        3,
        MEDIUM,
        [
          { kind: "ramp", step: 7_600, perStep: 0.0015, steps: 900 },
          { kind: "nan", step: 8_900, steps: null },
        ],
        { steps: 9_000 },
      ),
    ],
    past: demoPast(seed, nowMs),
    live: demoLive(seed, nowMs),
  };
}

interface DemoSize extends Partial<SimulationPlan> {
  readonly gpus: number;
  readonly cluster: string;
}

const SMALL: DemoSize = {
  gpus: 64,
  cluster: "west-2",
  steps: 12_000,
  stepTimeS: 1.6,
  tokensPerStep: 1_048_576,
  floorLoss: 2.1,
  checkpointEvery: 500,
};
const MEDIUM: DemoSize = {
  gpus: 512,
  cluster: "east-1",
  steps: 12_000,
  logEvery: 5,
  stepTimeS: 3.8,
  tokensPerStep: 4_194_304,
  floorLoss: 1.8,
  checkpointEvery: 250,
};
function demoRun(name: string, size: DemoSize, over: PlanInput): DemoRun {
  const { cluster, ...rest } = size;
  const plan = completePlan({ ...rest, ...over });
  return {
    project: "demo",
    name,
    plan,
    truth: groundTruth(plan),
    metadata: {
      gpus: plan.gpus,
      cluster,
      tokensPerStep: plan.tokensPerStep,
      targetSteps: plan.steps,
      checkpointEvery: plan.checkpointEvery,
    },
  };
}

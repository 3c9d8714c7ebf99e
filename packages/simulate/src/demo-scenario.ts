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
  /**
   * A run in full swing. Its times are true to the wall clock: the first `backlogSteps` steps end at `nowMs`, later ones
   * are due at their own `timeMs`. The spike begins 8 s after `nowMs` and has not come back 20 s after it.
   */
  readonly live: DemoRun & { readonly backlogSteps: number };
}

const DAY_MS = 86_400_000;
const LIVE_STEP_S = 0.25;
const LIVE_BACKLOG = 6_000;
const LIVE_ONSET = LIVE_BACKLOG + 32;

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
    live: {
      ...demoRun("large-70b", LARGE, {
        seed: runSeed(),
        startTimeMs: Math.round(nowMs - LIVE_BACKLOG * LIVE_STEP_S * 1000),
        faults: [
          { kind: "outlier", step: 3_310, factor: 1.4 },
          { kind: "spike-shift", step: LIVE_ONSET, factor: 2.4, halfLifeSteps: 18, shift: 0.23, gradLeadSteps: 4 },
          { kind: "slow", step: LIVE_ONSET + 1_200, factor: 1.35, steps: 240 },
          { kind: "outlier", step: LIVE_ONSET + 2_000, factor: 1.5 },
        ],
      }),
      backlogSteps: LIVE_BACKLOG,
    },
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
/** Steps of a quarter of a second: a live page that moves, with times that are true. 200,000 of them last 14 hours. Its 16 nodes are `demoFleet`. */
const LARGE: DemoSize = {
  gpus: 128,
  cluster: "east-1",
  steps: 200_000,
  stepTimeS: LIVE_STEP_S,
  tokensPerStep: 32_768,
  floorLoss: 1.5,
  checkpointEvery: 250,
  warmupSteps: 400,
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

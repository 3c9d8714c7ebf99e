import { planAttempts, weightsHaveSeen } from "./attempts.ts";
import type { PlannedAttempt } from "./attempts.ts";
import { gradientCurve, learningRate, lossCurve } from "./curves.ts";
import { effectOf } from "./effects.ts";
import type { CheckpointEvent, PointEvent, SimulatedEvent } from "./event.ts";
import { strikesOf } from "./ground-truth.ts";
import type { Strike } from "./ground-truth.ts";
import { completePlan } from "./plan.ts";
import type { PlanInput, SimulationPlan } from "./plan.ts";
import { randomSource } from "./random.ts";
import type { RandomSource } from "./random.ts";

/** Relative spread of the gradient norm and of the step time from one step to the next. */
const GRAD_NOISE = 0.08;
const TIME_NOISE = 0.01;

/**
 * The events of a run, one after the other; holds no more than one logging interval.
 * Deterministic in the plan. What it puts in is told by `groundTruth` of the same plan.
 * @throws AppError `bad-request` for a plan that cannot be simulated
 */
export function* simulateRun(input: PlanInput): Generator<SimulatedEvent, void, undefined> {
  const plan = completePlan(input);
  const attempts = planAttempts(plan);
  const strikes = strikesOf(plan, attempts);
  let timeMs = plan.startTimeMs;
  for (const [index, attempt] of attempts.entries()) {
    timeMs += attempt.downtimeS * 1000;
    yield { kind: "start", attempt: attempt.name, parent: attempt.parent, branchStep: attempt.branchStep, timeMs, reason: attempt.reason };
    timeMs = yield* simulateAttempt({ plan, attempts, attempt, strikes, random: randomSource(plan.seed, index + 1) }, timeMs);
    timeMs += attempt.hangS * 1000;
    yield {
      kind: "end",
      attempt: attempt.name,
      step: attempt.lastStep,
      timeMs,
      outcome: attempt === attempts.at(-1) ? "finished" : "crashed",
    };
  }
}

interface Launch {
  readonly plan: SimulationPlan;
  readonly attempts: readonly PlannedAttempt[];
  readonly attempt: PlannedAttempt;
  readonly strikes: readonly Strike[];
  readonly random: RandomSource;
}

function* simulateAttempt(launch: Launch, startMs: number): Generator<PointEvent | CheckpointEvent, number, undefined> {
  const { plan, attempt } = launch;
  let timeMs = startMs;
  let residual = 0;
  let window = emptyWindow();
  for (let step = attempt.firstStep; step <= attempt.lastStep; step++) {
    residual = plan.noiseMemory * residual + Math.sqrt(1 - plan.noiseMemory ** 2) * launch.random.heavyTailed();
    const taken = takeStep(launch, step, residual);
    timeMs += taken.timeS * 1000;
    window = {
      steps: window.steps + 1,
      nanSteps: window.nanSteps + (Number.isFinite(taken.loss) ? 0 : 1),
      loss: window.loss + taken.loss,
      gradNorm: window.gradNorm + taken.gradNorm,
      timeS: window.timeS + taken.timeS,
    };
    if (step % plan.logEvery === 0) {
      yield pointOf(launch, step, Math.round(timeMs), window);
      window = emptyWindow();
    }
    if (step % plan.checkpointEvery === 0) yield checkpointOf(launch, step, Math.round(timeMs));
  }
  return Math.round(timeMs);
}

interface Window {
  readonly steps: number;
  readonly nanSteps: number;
  readonly loss: number;
  readonly gradNorm: number;
  readonly timeS: number;
}
const emptyWindow = (): Window => ({ steps: 0, nanSteps: 0, loss: 0, gradNorm: 0, timeS: 0 });

function takeStep(
  { plan, attempts, attempt, strikes, random }: Launch,
  step: number,
  residual: number,
): Omit<Window, "steps" | "nanSteps"> {
  const base = lossCurve(plan, step);
  let loss = base * Math.exp(plan.noise * residual);
  let gradNorm = gradientCurve(plan, step) * Math.exp(GRAD_NOISE * random.heavyTailed());
  let timeS = plan.stepTimeS * Math.exp(TIME_NOISE * random.heavyTailed());
  for (const { fault, attempt: origin } of strikes) {
    const lives =
      fault.kind === "outlier" || fault.kind === "slow" ? origin === attempt.name : inherits(attempts, attempt, step, origin, fault);
    if (!lives) continue;
    const effect = effectOf(fault, step, base);
    loss += effect.loss;
    gradNorm *= effect.gradFactor;
    timeS *= effect.timeFactor;
  }
  return { loss, gradNorm, timeS };
}

/** A fault shows in the attempt it struck, and in later ones whose weights have gone through its onset. */
function inherits(
  attempts: readonly PlannedAttempt[],
  attempt: PlannedAttempt,
  step: number,
  origin: string,
  fault: Strike["fault"],
): boolean {
  return origin === attempt.name || weightsHaveSeen(attempts, attempt, step, origin, fault.step);
}

function pointOf({ plan, attempt }: Launch, step: number, timeMs: number, window: Window): PointEvent {
  const stepTime = window.timeS / window.steps;
  return {
    kind: "point",
    attempt: attempt.name,
    step,
    timeMs,
    nanSteps: window.nanSteps,
    values: {
      loss: window.loss / window.steps,
      grad_norm: window.gradNorm / window.steps,
      learning_rate: learningRate(plan, step),
      step_time: stepTime,
      tokens_per_second: plan.tokensPerStep / stepTime,
      tokens_consumed: step * plan.tokensPerStep,
    },
  };
}

function checkpointOf({ plan, attempt }: Launch, step: number, timeMs: number): CheckpointEvent {
  const incomplete = plan.incompleteCheckpoints.includes(step);
  const verified = !incomplete && plan.verifyEvery > 0 && (step / plan.checkpointEvery) % plan.verifyEvery === 0;
  return {
    kind: "checkpoint",
    attempt: attempt.name,
    step,
    timeMs,
    path: `checkpoints/${attempt.name}/step-${step}`,
    state: incomplete ? "incomplete" : verified ? "verified" : "unchecked",
    reason: incomplete ? "1 shard missing" : verified ? "replica hashes agree" : null,
  };
}

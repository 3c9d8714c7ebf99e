import type { EvalPushInput, PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import type { World } from "./world.ts";

export const RL_PROJECT = "lab";
export const RL_NAME = "rl-70b-chat";
/** Where the held-out score of the seeded run is best. */
export const PEAK = 1_520;
export const RL_STEPS = 2_200;
/** The run went back once: the steps after this one were trained again. */
const BRANCH = 800;
const FIRST_END = 900;
const EVAL_EVERY = 50;
export const CHECKPOINT_EVERY = 200;
const STEP_MS = 60_000;
/** Scatter of one evaluation of about 1,000 prompts that are the same each time, as a share. */
const EVAL_SCATTER = 0.005;

/** A linear congruential generator (Numerical Recipes): the same run on every machine. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

/** About normal with deviation 1: the sum of twelve uniforms. */
function gauss(random: () => number): number {
  let sum = 0;
  for (let count = 0; count < 12; count++) sum += random();
  return sum;
}

/** Share of held-out prompts that are solved: it rises to the peak and falls after it while the reward goes on rising. */
export function heldOutShare(step: number): number {
  const before = Math.max(0, PEAK - step) / PEAK;
  const after = Math.max(0, step - PEAK) / (RL_STEPS - PEAK);
  return 0.616 - 0.1 * before ** 1.8 - 0.062 * after ** 1.3;
}

export interface RlShape {
  readonly endsAtMs: number;
  /** Without it nobody can tell whether the reward stands for anything. */
  readonly heldOut?: boolean;
  readonly name?: string;
}

/** One launch of the run over these steps. */
function launch(shape: RlShape, attempt: string, seq: number, from: number, to: number): PushInput {
  const random = uniform(11 + seq);
  const at = (step: number): number => shape.endsAtMs - (RL_STEPS - step) * STEP_MS;
  const range = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const line = (value: (step: number) => number) => range.map((step): [number, number, number] => [step, value(step), at(step)]);
  const evals = range.filter((step) => step % EVAL_EVERY === 0);
  const saved = range.filter((step) => step % CHECKPOINT_EVERY === 0);
  const name = shape.name ?? RL_NAME;
  return buildPush(
    {
      source: `browser-test/${name}`,
      seq,
      run: { project: RL_PROJECT, name },
      attempt,
      metadata: { gpus: 512, cluster: "fjord-1", tokensPerStep: 4_194_304 },
      checkpoints: saved.map((step) => ({
        step,
        state: step === 1_600 ? "incomplete" : step > 1_800 ? "unchecked" : "verified",
        kind: "model",
        path: `/ckpt/${name}/step${step}`,
        savedAtMs: at(step),
        reason: step === 1_600 ? "1 shard missing" : step > 1_800 ? null : "replica hashes agree",
      })),
      events: attempt === "a2" ? [{ kind: "rollback", step: from, timeMs: at(from), text: "tokenizer bug in the prompts" }] : [],
    },
    [
      { metric: "reward", points: line((step) => 0.42 + 0.34 * (1 - Math.exp(-step / 900)) + 0.008 * gauss(random)) },
      { metric: "kl", points: line((step) => 0.004 + 0.085 * (step / 1_800) ** 1.15 * Math.exp(0.06 * gauss(random))) },
      { metric: "entropy", points: line((step) => 0.9 + 0.7 * Math.exp(-step / 700) + 0.01 * gauss(random)) },
      { metric: "response_length", points: line((step) => 310 + 0.06 * step + 6 * gauss(random)) },
      { metric: "clip_fraction", points: line(() => 0.04 + 0.004 * gauss(random)) },
      { metric: "zero_variance_share", points: line((step) => 0.12 + 0.00006 * step + 0.02 * random()) },
      ...(shape.heldOut === false
        ? []
        : [
            {
              metric: "eval/reasoning/accuracy",
              points: evals.map((step): [number, number, number] => [step, heldOutShare(step) + EVAL_SCATTER * gauss(random), at(step)]),
            },
          ]),
    ],
  );
}

/** A run whose held-out score turns while its reward climbs, with a launch that was rolled back and a checkpoint each 200 steps. */
export async function pushRlRun(world: World, shape: RlShape): Promise<number> {
  await world.push(launch(shape, "a1", 0, 1, FIRST_END));
  const { runId } = await world.push(launch(shape, "a2", 1, BRANCH + 1, RL_STEPS));
  return runId;
}

/** Results of one checkpoint as a harness prints them: shares with their standard errors, a cost, and one that was run without a score. */
export function resultsOf(step: number, evaluatedAtMs: number): EvalPushInput {
  const subject = { model: `${RL_NAME}-step${step}`, step };
  const drift = (heldOutShare(step) - heldOutShare(PEAK)) * 0.8;
  const measure = (task: string, metric: string, value: number | null, more: object = {}) => ({
    kind: "measure" as const,
    subject,
    task,
    metric,
    value,
    stderr: value === null ? null : Math.sqrt((value * (1 - value)) / 1_319),
    n: 1_319,
    settings: { nShot: 5, harness: "lm-eval" },
    evaluatedAtMs,
    ...more,
  });
  return {
    file: { name: `results-${step}.json`, sha256: step.toString(16).padStart(64, "0"), format: "lm-eval-results" },
    run: { project: RL_PROJECT, name: RL_NAME },
    part: 0,
    last: true,
    records: [
      measure("gsm8k", "acc", 0.706 + drift),
      measure("hellaswag", "acc_norm", 0.813 + drift),
      measure("arc_challenge", "acc_norm", 0.571 + drift),
      measure("mbpp", "pass@1", 0.482 + drift),
      measure("xstest_safe", "refusal_rate", 0.041 - drift),
      measure("truthfulqa_mc2", "acc", null),
      { ...measure("latency", "latency_p95", 2.6), stderr: null, n: null, unit: "s" },
    ],
  };
}

import { encodeColumn, type PushInput } from "@trainwatch/core";
import { randomSource } from "../random.ts";
import { createPrompts } from "./prompts.ts";
import { accuracyAt, klAt, type RlPlan } from "./rl-plan.ts";

/** Steps in one push. */
const STEPS_A_PUSH = 500;
const HELD_OUT = "eval/held_out/accuracy";

const METRICS = [
  "reward",
  "reward_std",
  "kl",
  "entropy",
  "response_length",
  "truncation_share",
  "clip_fraction",
  "zero_variance_share",
  "grad_norm",
  "step_time",
] as const;
type RlValues = Readonly<Record<(typeof METRICS)[number], number>>;

/** The pushes of a whole run, as its trainer would have sent them: rewards each step, held-out results each `evalEvery`, checkpoints, and its end. */
export function* rlPushes(plan: RlPlan): Generator<PushInput, void, undefined> {
  const random = randomSource(plan.seed, 501);
  const heldOut = createPrompts(plan.seed, "held-out", plan.heldOutPrompts);
  const evalRandom = randomSource(plan.seed, 502);
  const body = { run: { project: plan.project, name: plan.name }, attempt: "a1" };
  let seq = 0;
  for (let from = 1; from <= plan.steps; from += STEPS_A_PUSH) {
    const steps = Array.from({ length: Math.min(STEPS_A_PUSH, plan.steps - from + 1) }, (_, index) => from + index);
    const values = steps.map((step) => valuesAt(plan, step, random));
    const evalSteps = steps.filter((step) => step % plan.evalEvery === 0);
    const accuracies = evalSteps.map((step) => {
      const passed = heldOut.passes(accuracyAt(plan, step), evalRandom);
      return passed.reduce((sum, isPassed) => sum + (isPassed ? 1 : 0), 0) / plan.heldOutPrompts;
    });
    yield {
      source: `demo/${plan.name}`,
      seq: seq++,
      ...body,
      metadata: { gpus: plan.gpus, targetSteps: plan.steps, checkpointEvery: plan.checkpointEvery, cluster: "east-1" },
      series: [...METRICS, HELD_OUT].map((metric) => ({ metric })),
      columns: [
        ...METRICS.map((metric, series) =>
          column(
            plan,
            series,
            steps,
            values.map((value) => value[metric]),
          ),
        ),
        ...(evalSteps.length === 0 ? [] : [column(plan, METRICS.length, evalSteps, accuracies)]),
      ],
      checkpoints: steps
        .filter((step) => step % plan.checkpointEvery === 0)
        .map((step) => ({
          step,
          path: `${plan.name}/step${step}`,
          state: "verified" as const,
          savedAtMs: timeAt(plan, step),
          reason: "all shards read back once",
        })),
      ...(from + STEPS_A_PUSH > plan.steps ? { ended: "finished" as const } : {}),
    };
  }
}

function column(plan: RlPlan, series: number, steps: readonly number[], values: readonly number[]) {
  const { value, nonFinite } = encodeColumn(values);
  return {
    series,
    step: [...steps],
    time: steps.map((step) => timeAt(plan, step)),
    value: [...value],
    nonFinite: nonFinite.map(([index, word]): [number, typeof word] => [index, word]),
  };
}

function timeAt({ startTimeMs, stepTimeS }: RlPlan, step: number): number {
  return Math.round(startTimeMs + step * stepTimeS * 1_000);
}

/** The proxy climbs to the end; entropy falls slowly and answers grow: what such runs look like when nothing but the goal is wrong. */
function valuesAt(plan: RlPlan, step: number, random: ReturnType<typeof randomSource>): RlValues {
  const done = step / plan.steps;
  const rise = 1 - Math.exp(-3 * done);
  return {
    reward: 0.42 + 0.32 * rise + 0.02 * done + 0.012 * random.normal(),
    reward_std: 0.38 - 0.08 * rise + 0.01 * random.normal(),
    kl: klAt(plan, step) * Math.exp(0.05 * random.normal()),
    entropy: 0.62 - 0.2 * rise + 0.01 * random.normal(),
    response_length: Math.round(410 + 90 * done + 9 * random.normal()),
    truncation_share: Math.max(0, 0.012 + 0.008 * done + 0.003 * random.normal()),
    clip_fraction: Math.max(0, 0.02 + 0.004 * random.normal()),
    zero_variance_share: Math.min(1, Math.max(0, 0.14 + 0.08 * rise + 0.02 * random.normal())),
    grad_norm: Math.exp(-0.9 + 0.14 * random.normal()),
    step_time: plan.stepTimeS * Math.exp(0.02 * random.normal()),
  };
}

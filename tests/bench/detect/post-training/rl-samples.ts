import type { Sample } from "@trainwatch/core";
import { seededRandom } from "@trainwatch/stats";
import { batchShare, pairedShare, sharedNoise, whiteNoise, type Noise } from "./noise.ts";
import { EVAL_METRICS, STEP_METRICS, type RlMetric, type RlRun } from "./rl-run.ts";

/** Relative error of one logged value; of the KL it is drawn, for a batch may be large or small. */
const RELATIVE = {
  entropy: 0.04,
  clip_fraction: 0.3,
  distinct_answers: 0.05,
  rollout_mismatch_kl: 0.4,
  rollout_logprob_gap: 0.15,
  rollout_weight_mean: 0.03,
} as const;
const LENGTH_NOISE = 0.025;
/** How often an asynchronous sampler delivers one very old batch. */
const STRAY = 0.003;

/** What a trainer would have logged, step by step. The same seed gives the same values. */
export function rlSamples(run: RlRun, seed: number): Sample[] {
  const { layout } = run;
  const random = seededRandom(seed);
  const metrics: readonly RlMetric[] = [...STEP_METRICS, ...EVAL_METRICS];
  const noises = new Map(metrics.map((metric) => [metric, (layout.noise === "shared" ? sharedNoise : whiteNoise)(random)]));
  const noiseOf = (metric: RlMetric): Noise => noises.get(metric) ?? whiteNoise(random);
  const evaluated = new Map(EVAL_METRICS.map((metric) => [metric, pairedShare(random, layout.heldOutPrompts)]));
  const klNoise = 0.03 + 0.12 * random();
  const samples: Sample[] = [];
  const add = (metric: RlMetric, step: number, value: number): void => {
    samples.push({ metric, step, timeMs: step * 20_000, value });
  };
  for (let step = layout.logEvery; step <= layout.steps; step += layout.logEvery) {
    const values = stepValues(run, step, { random, noiseOf, klNoise });
    for (const metric of STEP_METRICS) add(metric, step, values[metric]);
    if (step % layout.evalEvery !== 0) continue;
    for (const metric of EVAL_METRICS) {
      const share = evaluated.get(metric)?.(run.levels[metric](step), layout.noise === "shared" ? 0.4 * noiseOf(metric)() : 0);
      if (share !== undefined) add(metric, step, share);
    }
  }
  return samples;
}

interface Sources {
  readonly random: () => number;
  readonly noiseOf: (metric: RlMetric) => Noise;
  readonly klNoise: number;
}

function stepValues(
  { levels, layout, rewardPerToken }: RlRun,
  step: number,
  { random, noiseOf, klNoise }: Sources,
): Readonly<Record<(typeof STEP_METRICS)[number], number>> {
  const scaled = (metric: RlMetric, sigma: number): number => levels[metric](step) * Math.exp(sigma * noiseOf(metric)());
  const share = (metric: RlMetric, count: number): number => batchShare(random, noiseOf(metric), count, levels[metric](step));
  const level = levels.response_length(step);
  const length = Math.max(1, level * (1 + LENGTH_NOISE * noiseOf("response_length")()));
  const mean = levels.reward(step);
  const error = Math.sqrt(Math.max(mean * (1 - mean), 0.02) / layout.prompts);
  return {
    response_length: length,
    reward: mean + error * noiseOf("reward")() + rewardPerToken(step) * (length - level),
    kl: scaled("kl", klNoise),
    entropy: scaled("entropy", RELATIVE.entropy),
    clip_fraction: Math.min(1, scaled("clip_fraction", RELATIVE.clip_fraction)),
    truncation_share: share("truncation_share", layout.prompts * layout.answers),
    zero_variance_share: share("zero_variance_share", layout.prompts),
    reward_saturation: share("reward_saturation", layout.prompts * layout.answers),
    distinct_answers: Math.min(layout.answers, scaled("distinct_answers", RELATIVE.distinct_answers)),
    rollout_mismatch_kl: scaled("rollout_mismatch_kl", RELATIVE.rollout_mismatch_kl),
    rollout_logprob_gap: scaled("rollout_logprob_gap", RELATIVE.rollout_logprob_gap),
    rollout_ess: Math.max(0, 1 - (1 - levels.rollout_ess(step)) * Math.exp(0.2 * noiseOf("rollout_ess")())),
    rollout_weight_mean: scaled("rollout_weight_mean", RELATIVE.rollout_weight_mean),
    policy_staleness: Math.max(0, Math.round(levels.policy_staleness(step) + noiseOf("policy_staleness")() + (random() < STRAY ? 8 : 0))),
  };
}

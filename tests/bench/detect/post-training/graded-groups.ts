import type { Sample } from "@trainwatch/core";
import { binomialDraw, normalDraw, seededRandom } from "@trainwatch/stats";
import { healthyRun, type RlLayout } from "./rl-run.ts";
import { rlSamples } from "./rl-samples.ts";

/** What a pass-or-fail grader decides, and so what stands here in place of the levels that a run draws by itself. The share at the largest reward is the success rate, and not logged. */
const GRADED: ReadonlySet<string> = new Set(["reward", "zero_variance_share", "reward_saturation", "success_rate", "group_size"]);
/** Spread of the prompts about the step's success rate, in logits. */
const UNEVEN = 0.5;

export interface GradedPlan {
  readonly layout: RlLayout;
  /** What the noise of everything else is drawn from, beside the seed. */
  readonly noiseSeed: number;
  /** Share of the prompts whose answers are all graded alike, from a step on. */
  readonly alike: { readonly share: number; readonly fromStep: number } | null;
}

/** A run that a pass-or-fail grader rewards and that solves nearly all in the end: every answer of every prompt is drawn, and success rate and group size are logged. */
export function gradedRun(seed: number, { layout, noiseSeed, alike }: GradedPlan): readonly Sample[] {
  const run = healthyRun(seededRandom(seed), layout);
  const random = seededRandom(seed + 2 * noiseSeed);
  const [start, end] = [0.3 + 0.3 * random(), 0.88 + 0.08 * random()];
  const { reward } = run.levels;
  // At the pace at which the run learns: what is held out follows it there.
  const learned = (step: number): number => (reward(step) - reward(0)) / (reward(Number.MAX_SAFE_INTEGER) - reward(0));
  const graded: Sample[] = [];
  for (let step = layout.logEvery; step <= layout.steps; step += layout.logEvery) {
    const share = alike === null || step < alike.fromStep ? 0 : alike.share;
    const { rate, without } = gradedStep(random, layout, start + (end - start) * learned(step), share);
    const at = { step, timeMs: step * 20_000 };
    graded.push(
      { ...at, metric: "group_size", value: layout.answers },
      { ...at, metric: "success_rate", value: rate },
      { ...at, metric: "reward", value: rate },
      { ...at, metric: "zero_variance_share", value: without },
    );
  }
  const others = rlSamples(run, seed + noiseSeed).filter(({ metric }) => !GRADED.has(metric));
  return [...others, ...graded].toSorted((a, b) => a.step - b.step);
}

/** Success rate of one batch, and its share of groups without variance. */
function gradedStep(random: () => number, { prompts, answers }: RlLayout, level: number, alike: number) {
  const logit = Math.log(level / (1 - level));
  let [right, without] = [0, 0];
  for (let prompt = 0; prompt < prompts; prompt++) {
    const rate = 1 / (1 + Math.exp(-logit - UNEVEN * normalDraw(random)));
    const isAlike = random() < alike;
    const count = isAlike ? (random() < rate ? answers : 0) : binomialDraw(random, answers, rate);
    right += count;
    if (count === 0 || count === answers) without++;
  }
  return { rate: right / (prompts * answers), without: without / prompts };
}

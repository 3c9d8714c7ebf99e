/** Part of an evaluation that is no score of the answers: what it cost, how long they were, how far they scatter. */
const NO_SCORE =
  /(?:^|[/_-])(?:loss|kl|entropy|lr|learning_rate|grad_norm|lengths?|len|tokens?|time|runtime|per_second|steps?|samples|epoch|num|count|std|stderr|min|max|clipped|clip)(?:$|[/_@-])/;
const LOWER_IS_BETTER = /(?:^|[/_-])(?:perplexity|ppl|bpb|bits_per_byte|errors?|wer|cer|toxicity|flips?|hallucinations?)(?:$|[/_@-])/;

/** What the names of held-out evaluations begin with. */
export const HELD_OUT_PREFIX = "eval/";

/** Whether a metric is a score on prompts that are not trained on, and which way is better; null where it is none. */
export function heldOutDirection(metric: string): "higher" | "lower" | null {
  if (!metric.startsWith(HELD_OUT_PREFIX)) return null;
  const name = metric.slice(HELD_OUT_PREFIX.length).toLowerCase();
  if (NO_SCORE.test(name)) return null;
  return LOWER_IS_BETTER.test(name) ? "lower" : "higher";
}

/** Whether it is the training reward itself, on other prompts: what the reward does not see, it does not see either. */
export function isRewardOfTraining(metric: string): boolean {
  return /(?:^|[/_])rewards?(?:$|[/_@])/i.test(metric);
}

/** Values over steps, thinned so that a run of any length fits: neighbours become their mean, all of them alike, so that the noise stays the same throughout. JSON-safe. */
export interface ThinSeries {
  steps: number[];
  values: number[];
  /** KL at each, as far as it is known. */
  kl: (number | null)[];
  /** Values that one entry is the mean of. */
  stride: number;
  pending: { count: number; value: number; kl: number; klCount: number } | null;
}

export const newThinSeries = (): ThinSeries => ({ steps: [], values: [], kl: [], stride: 1, pending: null });

/** Adds a value in ascending steps; says whether an entry was completed by it. */
export function pushThin(series: ThinSeries, capacity: number, step: number, value: number, kl: number | null): boolean {
  series.pending ??= { count: 0, value: 0, kl: 0, klCount: 0 };
  const { pending } = series;
  pending.count++;
  pending.value += (value - pending.value) / pending.count;
  if (kl !== null) pending.kl += (kl - pending.kl) / ++pending.klCount;
  if (pending.count < series.stride) return false;
  series.steps.push(step);
  series.values.push(pending.value);
  series.kl.push(pending.klCount === 0 ? null : pending.kl);
  series.pending = null;
  if (series.steps.length >= capacity) halve(series);
  return true;
}

function halve(series: ThinSeries): void {
  const { steps, values, kl } = series;
  const pairs = Array.from({ length: steps.length >> 1 }, (_, index) => 2 * index);
  Object.assign(series, {
    steps: pairs.map((at) => steps[at + 1] ?? 0),
    values: pairs.map((at) => ((values[at] ?? 0) + (values[at + 1] ?? 0)) / 2),
    kl: pairs.map((at) => {
      const [first = null, second = null] = [kl[at], kl[at + 1]];
      return first === null || second === null ? (first ?? second) : (first + second) / 2;
    }),
    stride: series.stride * 2,
  });
}

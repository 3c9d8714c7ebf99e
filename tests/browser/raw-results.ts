// What a comparison of checkpoints must come to, counted from the harness's own files by another route than the product's: nothing here is imported from it.
import { readFileSync } from "node:fs";

export interface RawResult {
  readonly value: number;
  readonly error: number;
}
/** By `task|metric`, as the file has it. */
export type RawResults = ReadonlyMap<string, RawResult>;

/** Ways in which the metrics of these files are better; one that is missing has none. */
const BETTER: Readonly<Record<string, 1 | -1>> = { acc: 1, acc_norm: 1, ppl: -1, likelihood_difference: -1 };
const MMLU = /^hendrycksTest-/;

/** All scores of a results file of lm-evaluation-harness 0.3, with MMLU's mean over its 57 tasks, which the file does not print. */
export function rawResults(path: string): RawResults {
  const { results }: { results: Record<string, Record<string, number>> } = JSON.parse(readFileSync(path, "utf8"));
  const all = Object.entries(results).flatMap(([task, scores]) =>
    Object.entries(scores)
      .filter(([name]) => !name.endsWith("_stderr"))
      .map(([metric, value]) => ({ task, metric, value, error: scores[`${metric}_stderr`] ?? Number.NaN })),
  );
  const means = ["acc", "acc_norm"].map((metric) => {
    const parts = all.filter((one) => MMLU.test(one.task) && one.metric === metric);
    const sumOf = (of: (part: RawResult) => number): number => parts.reduce((sum, part) => sum + of(part), 0);
    return {
      task: "hendrycksTest",
      metric,
      value: sumOf(({ value }) => value) / parts.length,
      error: Math.sqrt(sumOf(({ error }) => error ** 2)) / parts.length,
    };
  });
  return new Map([...all, ...means].map(({ task, metric, value, error }) => [`${task}|${metric}`, { value, error }]));
}

export interface RawVerdict {
  readonly p: number;
  readonly adjusted: number;
  readonly verdict: "better" | "worse" | "tie";
}

/** Each candidate against the baseline: difference of independent estimates, Holm over all of them. By `task|metric`, then by candidate. */
export function rawVerdicts(baseline: RawResults, candidates: readonly RawResults[]): ReadonlyMap<string, readonly RawVerdict[]> {
  const tests = [...baseline].flatMap(([key, before]) =>
    candidates.map((candidate, column) => {
      const after = candidate.get(key) ?? { value: Number.NaN, error: Number.NaN };
      return {
        key,
        column,
        delta: after.value - before.value,
        p: twoSided((after.value - before.value) / Math.hypot(before.error, after.error)),
      };
    }),
  );
  let most = 0;
  const adjusted = tests
    .toSorted((a, b) => a.p - b.p)
    .map((test, place) => {
      most = Math.max(most, test.p * (tests.length - place));
      return { ...test, adjusted: Math.min(1, most) };
    });
  return new Map(
    [...baseline.keys()].map((key) => [
      key,
      candidates.map((_, column) => {
        const test = adjusted.find((each) => each.key === key && each.column === column);
        if (test === undefined) throw new Error(`no test of ${key}`);
        const way = BETTER[key.split("|")[1] ?? ""] ?? 0;
        const verdict = test.adjusted > 0.05 || way === 0 ? "tie" : test.delta * way > 0 ? "better" : "worse";
        return { p: test.p, adjusted: test.adjusted, verdict };
      }),
    ]),
  );
}

/** Standard errors between two results. */
export function zBetween(first: RawResult, second: RawResult): number {
  return Math.abs(first.value - second.value) / Math.hypot(first.error, second.error);
}

/** P(|Z| > z) of a standard normal, by the continued fraction of its tail, or its series near zero (Abramowitz & Stegun 26.2.14 and 26.2.10). */
function twoSided(z: number): number {
  const x = Math.abs(z);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x > 2.5) {
    let fraction = x;
    for (let term = 60; term >= 1; term--) fraction = x + term / fraction;
    return (2 * density) / fraction;
  }
  let [sum, term] = [0, x];
  for (let n = 0; n < 100; n++) {
    sum += term;
    term *= (-x * x * (2 * n + 1)) / (2 * (n + 1) * (2 * n + 3));
  }
  return 1 - (2 * sum) / Math.sqrt(2 * Math.PI);
}

import type { EvalRecordInput } from "@trainwatch/core";
import { randomSource } from "../random.ts";
import { createPrompts } from "./prompts.ts";

export interface SimulatedTask {
  readonly task: string;
  readonly metric: string;
  readonly samples: number;
  /** What a sample's texts speak of, each a category. */
  readonly categories: readonly string[];
  readonly higherIsBetter: boolean;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

export interface SimulatedSubject {
  readonly model: string;
  readonly step: number | null;
  readonly path: string | null;
  /** True share of passed samples by task; a task that is missing was not run. */
  readonly accuracy: Readonly<Record<string, number>>;
  /** Tokens of an answer and seconds to it, in the mean. */
  readonly tokens: number;
  readonly latencyS: number;
  readonly evaluatedAtMs: number;
  /** Settings of a task that differ from the task's own. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;
}

/** The records of one evaluation of one checkpoint: a measure a task, and its samples with texts. The same seed gives every checkpoint the same prompts. */
export function* simulateEvaluation(
  seed: number,
  subject: SimulatedSubject,
  tasks: readonly SimulatedTask[],
): Generator<EvalRecordInput, void, undefined> {
  const { model, step, path } = subject;
  const random = randomSource(seed, 601, step ?? 0, model.length);
  for (const [index, task] of tasks.entries()) {
    const accuracy = subject.accuracy[task.task];
    if (accuracy === undefined) continue;
    const passes = createPrompts(seed, task.task, task.samples).passes(accuracy, random);
    const share = passes.filter(Boolean).length / task.samples;
    const evaluatedAtMs = subject.evaluatedAtMs + index * 60_000;
    const of = { subject: { model, step, path }, task: task.task, settings: { ...task.settings, ...subject.settings?.[task.task] } };
    yield {
      kind: "measure",
      ...of,
      metric: task.metric,
      value: share,
      stderr: Math.sqrt((share * (1 - share)) / (task.samples - 1)),
      n: task.samples,
      higherIsBetter: task.higherIsBetter,
      evaluatedAtMs,
    };
    for (const [sample, isPassed] of passes.entries()) {
      const category = task.categories[sample % task.categories.length] ?? "other";
      yield {
        kind: "sample",
        ...of,
        key: `${task.task}-${sample}`,
        evaluatedAtMs,
        scores: { [task.metric]: isPassed ? 1 : 0 },
        category,
        prompt: `Simulated ${category} prompt ${sample} of ${task.task}.`,
        target: `The right answer to prompt ${sample}.`,
        answer:
          isPassed === task.higherIsBetter ? `The right answer to prompt ${sample}.` : `Another answer to prompt ${sample}, by ${model}.`,
        tokens: Math.max(1, Math.round(subject.tokens * Math.exp(0.35 * random.normal()))),
        latencyS: subject.latencyS * Math.exp(0.25 * random.normal()),
      };
    }
  }
}

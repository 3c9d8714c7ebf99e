import type { EvalSample } from "@trainwatch/core";
import { fromJsonNumber, promptNumber } from "@trainwatch/core";
import type { MeasureInput, SampleColumn } from "./contract.ts";
import { ANSWER_LATENCY, ANSWER_TOKENS } from "./derived-rows.ts";
import { derivedMeasure } from "./rows.ts";

/**
 * Samples of one task and filter of one scorecard as measures without a printed value: one a metric, and what the answers cost in tokens and seconds. All
 * share one list of keys, which is joined once.
 */
export function sampleMeasures(samples: readonly EvalSample[]): readonly MeasureInput[] {
  const [first] = samples;
  if (first === undefined) return [];
  const epochs = new Set(samples.map(({ epoch }) => epoch));
  const keys = samples.map(({ key, epoch }) => (epochs.size === 1 ? key : `${key}#${epoch}`));
  const shared = {
    keys,
    epochs: epochs.size,
    clusters: anyOf(samples, ({ cluster }) => cluster) ? clustersOf(samples, epochs.size > 1) : null,
    categories: anyOf(samples, ({ category }) => category) ? samples.map(({ category }) => category) : null,
    prompts: anyOf(samples, ({ prompt }) => prompt) ? Float64Array.from(samples, ({ prompt }) => promptNumber(prompt)) : null,
  };
  const metrics = new Set(samples.flatMap(({ scores }) => Object.keys(scores)));
  const settings = epochs.size > 1 ? { epochs: epochs.size, ...first.settings } : first.settings;
  const measure = (metric: string, of: (sample: EvalSample) => number | null): MeasureInput => {
    const column: SampleColumn = { ...shared, scores: Float64Array.from(samples, (sample) => of(sample) ?? Number.NaN) };
    return derivedMeasure({ task: first.task, metric, filter: first.filter, settings, samples: column });
  };
  return [
    ...[...metrics].map((metric) => measure(metric, ({ scores }) => fromJsonNumber(scores[metric] ?? null))),
    ...(anyOf(samples, ({ tokens }) => tokens) ? [measure(ANSWER_TOKENS, ({ tokens }) => tokens)] : []),
    ...(anyOf(samples, ({ latencyS }) => latencyS) ? [measure(ANSWER_LATENCY, ({ latencyS }) => latencyS)] : []),
  ];
}

const anyOf = (samples: readonly EvalSample[], of: (sample: EvalSample) => unknown): boolean =>
  samples.some((sample) => of(sample) !== null);

/** With epochs, those of a sample without a cluster are one by themselves. */
function clustersOf(samples: readonly EvalSample[], hasEpochs: boolean): readonly (string | null)[] {
  return samples.map(({ cluster, key }) => cluster ?? (hasEpochs ? `sample ${key}` : null));
}

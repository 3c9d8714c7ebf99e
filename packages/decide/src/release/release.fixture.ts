import { seededRandom } from "@trainwatch/stats";
import type { ColumnInput, MeasureInput, ReleaseInput, SampleColumn } from "./contract.ts";
import { derivedMeasure } from "./rows.ts";

/** A measure as a source with nothing to tell but its value gives it. */
export function measureOf(task: string, metric: string, value: number | null, more: Partial<MeasureInput> = {}): MeasureInput {
  return derivedMeasure({ task, metric, filter: null, settings: {}, value, ...more });
}

export function columnInput(scorecardId: number, measures: readonly MeasureInput[], more: Partial<ColumnInput> = {}): ColumnInput {
  return {
    scorecardId,
    model: `model ${scorecardId}`,
    run: null,
    step: null,
    checkpointId: null,
    checkpointState: null,
    turningPointStep: null,
    warnings: [],
    measures,
    pairs: [],
    ...more,
  };
}

export function releaseInput(columns: readonly ColumnInput[], more: Partial<ReleaseInput> = {}): ReleaseInput {
  return { columns, correction: "holm", level: 0.95, margin: 0.01, seed: 7, allowed: [], taskWeights: {}, ...more };
}

/** Samples `s0`, `s1`… with these scores. */
export function samplesOf(scores: ArrayLike<number>, more: Partial<SampleColumn> = {}): SampleColumn {
  return {
    keys: Array.from({ length: scores.length }, (_, place) => `s${place}`),
    scores: Float64Array.from(scores),
    clusters: null,
    categories: null,
    prompts: null,
    epochs: null,
    ...more,
  };
}

/** Pass and fail of two models on the same samples: so many that both pass, only the first, only the second, neither. */
export function passTable(
  both: number,
  lost: number,
  won: number,
  neither: number,
): { readonly first: number[]; readonly second: number[] } {
  const part = (count: number, score: number): number[] => Array.from({ length: count }, () => score);
  return {
    first: [...part(both, 1), ...part(lost, 1), ...part(won, 0), ...part(neither, 0)],
    second: [...part(both, 1), ...part(lost, 0), ...part(won, 1), ...part(neither, 0)],
  };
}

/** Pass and fail of `n` samples that pass with the chance `share` each, given by one seed. */
export function passes(n: number, share: number, seed: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: n }, () => Number(random() < share));
}

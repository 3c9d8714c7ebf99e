import type { JsonNumber, ReleaseRow, SampleDifference } from "@trainwatch/core";
import { toJsonNumber } from "@trainwatch/core";
import { createJoins } from "./align.ts";
import type { SampleColumn } from "./contract.ts";
import { splitEpoch } from "./sample-clusters.ts";

export type SampleFilter = "all" | "lost" | "won" | "unscored";

export interface SampleDifferences {
  /** Of the filter, the largest loss first, then in the baseline's order. Prompts are the caller's. */
  readonly items: readonly SampleDifference[];
  /** Of all common samples, whatever the filter. */
  readonly lost: number;
  readonly won: number;
  readonly unscored: number;
  readonly onlyBaseline: number;
  readonly onlyCandidate: number;
}

/**
 * The common samples of one row of two columns, each with both scores and the change, negative where it is worse (lower, where neither direction is
 * known to be better).
 */
export function sampleDifferences(
  baseline: SampleColumn,
  candidate: SampleColumn,
  better: ReleaseRow["better"],
  only: SampleFilter,
): SampleDifferences {
  const sign = better === "lower" ? -1 : 1;
  const { places, onlyFirst, onlySecond } = createJoins().align(baseline.keys, candidate.keys);
  const changes = new Float64Array(places.length);
  const kept: number[] = [];
  let lost = 0;
  let won = 0;
  let unscored = 0;
  for (let sample = 0; sample < places.length; sample++) {
    const place = places[sample] ?? -1;
    if (place < 0) continue;
    const change = sign * ((candidate.scores[place] ?? Number.NaN) - (baseline.scores[sample] ?? Number.NaN));
    changes[sample] = change;
    const kind = Number.isNaN(change) ? "unscored" : change < 0 ? "lost" : change > 0 ? "won" : null;
    if (kind === "unscored") unscored++;
    else if (kind === "lost") lost++;
    else if (kind === "won") won++;
    if (only === "all" || only === kind) kept.push(sample);
  }
  // Unscored samples have no change to be sorted by: they stand at the end.
  const order = (sample: number): number => {
    const change = changes[sample] ?? Number.NaN;
    return Number.isNaN(change) ? Number.POSITIVE_INFINITY : change;
  };
  kept.sort((a, b) => compare(order(a), order(b)) || a - b);
  return {
    items: kept.map((sample) => itemOf(baseline, candidate, sample, places[sample] ?? -1, changes[sample] ?? Number.NaN)),
    lost,
    won,
    unscored,
    onlyBaseline: onlyFirst,
    onlyCandidate: onlySecond,
  };
}

/** Also where both are infinite. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function itemOf(baseline: SampleColumn, candidate: SampleColumn, sample: number, place: number, change: number): SampleDifference {
  return {
    ...splitEpoch(baseline.keys[sample] ?? "", baseline.epochs),
    category: baseline.categories?.[sample] ?? candidate.categories?.[place] ?? null,
    baseline: scoreOf(baseline, sample),
    candidate: scoreOf(candidate, place),
    change: Number.isFinite(change) ? change : null,
    prompt: null,
  };
}

function scoreOf({ scores }: SampleColumn, place: number): JsonNumber {
  const score = scores[place] ?? Number.NaN;
  return Number.isNaN(score) ? null : toJsonNumber(score);
}

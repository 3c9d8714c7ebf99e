import type { Dimension, DimensionScore, WeightsView } from "@trainwatch/core";
import { seededRandom } from "@trainwatch/stats";
import { letterOf } from "./column-letter.ts";
import { QUALITY_DIMENSIONS } from "./dimension-scores.ts";

const DRAWS = 10_000;

type Range = WeightsView["along"][number]["ranges"][number];

/**
 * Who is best if the quality dimensions are weighed otherwise: in 10,000 weightings, all equally likely (Dirichlet of ones), and exactly along the
 * weight of each dimension while the others share the rest alike. Only dimensions that all columns have; null for fewer than two of them.
 */
export function weightsOf(dimensions: readonly DimensionScore[], { seed }: { readonly seed: number }): WeightsView | null {
  const used = dimensions.filter(
    ({ dimension, rows, scores }) => QUALITY_DIMENSIONS.includes(dimension) && rows > 0 && scores.every((score) => score !== null),
  );
  if (used.length < 2) return null;
  const values = used.map(({ scores }) => scores.map((score) => score?.value ?? 0));
  return {
    dimensions: used.map(({ dimension }) => dimension),
    wins: winShares(values, seed),
    draws: DRAWS,
    along: used.map(({ dimension }, own) => {
      const ranges = rangesAlong(values, own);
      return { dimension, ranges, text: sentence(dimension, ranges) };
    }),
  };
}

/** @param values by dimension and column; columns that win alike share the win */
function winShares(values: readonly (readonly number[])[], seed: number): readonly number[] {
  const columns = values[0]?.length ?? 0;
  const random = seededRandom(seed);
  const wins = new Float64Array(columns);
  const weights = new Float64Array(values.length);
  for (let draw = 0; draw < DRAWS; draw++) {
    // Exponentials over their sum are a Dirichlet draw; the sum does not matter for who wins.
    for (let dimension = 0; dimension < weights.length; dimension++) weights[dimension] = -Math.log(1 - random());
    let most = Number.NEGATIVE_INFINITY;
    let winners: number[] = [];
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      for (let dimension = 0; dimension < weights.length; dimension++)
        sum += (weights[dimension] ?? 0) * (values[dimension]?.[column] ?? 0);
      if (sum > most) winners = [];
      if (sum >= most) winners.push(column);
      most = Math.max(most, sum);
    }
    for (const column of winners) wins[column] = (wins[column] ?? 0) + 1 / winners.length;
  }
  return Array.from(wins, (count) => count / DRAWS);
}

/**
 * Who wins where, along the weight of dimension `own` from 0 to 1: each column's score is a line between the mean of the others and its own score, and the
 * winners are the upper edge of the lines.
 */
export function rangesAlong(values: readonly (readonly number[])[], own: number): readonly Range[] {
  const columns = values[0]?.length ?? 0;
  const others = values.filter((_, dimension) => dimension !== own);
  const start = Array.from(
    { length: columns },
    (_, column) => others.reduce((sum, scores) => sum + (scores[column] ?? 0), 0) / others.length,
  );
  const slope = start.map((at, column) => (values[own]?.[column] ?? 0) - at);
  const ranges: Range[] = [];
  let from = 0;
  let best = bestAt(start, slope, 0);
  while (best !== null) {
    let to = 1;
    let next: number | null = null;
    for (let column = 0; column < columns; column++) {
      const gain = (slope[column] ?? 0) - (slope[best] ?? 0);
      if (!(gain > 0)) continue;
      const crossing = ((start[best] ?? 0) - (start[column] ?? 0)) / gain;
      if (crossing < to && crossing > from) {
        to = crossing;
        next = column;
      } else if (crossing === to && next !== null && gain > (slope[next] ?? 0) - (slope[best] ?? 0)) next = column;
    }
    ranges.push({ from, to, column: best });
    from = to;
    best = next;
  }
  return ranges;
}

/** Highest at weight `at`; of those the one that rises fastest, which wins right after it. */
function bestAt(start: readonly number[], slope: readonly number[], at: number): number | null {
  let best: number | null = null;
  start.forEach((value, column) => {
    const own = value + at * (slope[column] ?? 0);
    const most = best === null ? Number.NEGATIVE_INFINITY : (start[best] ?? 0) + at * (slope[best] ?? 0);
    if (own > most || (own === most && best !== null && (slope[column] ?? 0) > (slope[best] ?? 0))) best = column;
  });
  return best;
}

function sentence(dimension: Dimension, ranges: readonly Range[]): string {
  const name = DIMENSION_WEIGHTS[dimension];
  const [first] = ranges;
  if (first === undefined) return "";
  if (ranges.length === 1) return `${letterOf(first.column)} wins for any ${name} weight`;
  const parts = ranges.map(({ from, to, column }) => {
    const letter = letterOf(column);
    if (from === 0) return `${letter} wins for any ${name} weight under ${to.toFixed(2)}`;
    return to === 1 ? `${letter} over ${from.toFixed(2)}` : `${letter} from ${from.toFixed(2)} to ${to.toFixed(2)}`;
  });
  return parts.join(", ");
}

const DIMENSION_WEIGHTS: Readonly<Record<Dimension, string>> = {
  capability: "capability",
  "tool-calls": "tool-call",
  refusal: "refusal",
  safety: "safety",
  feel: "feel",
  calibration: "calibration",
  cost: "cost",
};

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
      return { dimension, ranges, text: sentence(dimension, ranges, linesAlong(values, own)) };
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

/** Scores nearer than this are alike: they are sums of rounded numbers. */
const ALIKE = 1e-12;

/**
 * Who wins where, along the weight of dimension `own` from 0 to 1: each column's score is a line between the mean of the others and its own score, and the
 * winners are the upper edge of the lines. Of columns that are alike all along a range, the first.
 */
export function rangesAlong(values: readonly (readonly number[])[], own: number): readonly Range[] {
  const lines = linesAlong(values, own);
  const ranges: Range[] = [];
  let from = 0;
  while (from < 1) {
    const best = bestAt(lines, from);
    const ahead = lines[best];
    let to = 1;
    for (const { start, slope } of lines) {
      const gain = slope - (ahead?.slope ?? 0);
      const crossing = ((ahead?.start ?? 0) - start) / gain;
      if (gain > ALIKE && crossing > from + ALIKE && crossing < to) to = crossing;
    }
    // Beyond the last crossing lies nothing but rounding.
    if (to > 1 - ALIKE) to = 1;
    ranges.push({ from, to, column: best });
    from = to;
  }
  return ranges;
}

interface Line {
  readonly start: number;
  readonly slope: number;
}

/** By column: the score at weight 0 of `own`, and what it gains up to weight 1. */
function linesAlong(values: readonly (readonly number[])[], own: number): readonly Line[] {
  const others = values.filter((_, dimension) => dimension !== own);
  return (values[own] ?? []).map((score, column) => {
    const start = others.reduce((sum, scores) => sum + (scores[column] ?? 0), 0) / others.length;
    return { start, slope: score - start };
  });
}

/** Who wins right after weight `at`: of the highest there the one that rises fastest. */
function bestAt(lines: readonly Line[], at: number): number {
  const most = Math.max(...lines.map(({ start, slope }) => start + at * slope));
  let best = -1;
  lines.forEach(({ start, slope }, column) => {
    if (start + at * slope < most - ALIKE) return;
    if (best < 0 || slope > (lines[best]?.slope ?? 0) + ALIKE) best = column;
  });
  return best;
}

/** Letters of the columns whose line is that of `column`. */
function lettersOf(lines: readonly Line[], column: number): readonly string[] {
  const own = lines[column];
  const isAlike = (one: number, other: number | undefined): boolean => Math.abs(one - (other ?? Number.NaN)) <= ALIKE;
  return lines.flatMap(({ start, slope }, other) => (isAlike(start, own?.start) && isAlike(slope, own?.slope) ? [letterOf(other)] : []));
}

function sentence(dimension: Dimension, ranges: readonly Range[], lines: readonly Line[]): string {
  const name = DIMENSION_WEIGHTS[dimension];
  const parts = ranges.map(({ from, to, column }, place) => {
    const letters = lettersOf(lines, column);
    const who = letters.join(" and ");
    const wins = `${who} ${letters.length === 1 ? "wins" : "win"} for any ${name} weight`;
    const [low, high] = edges(from, to);
    if (place === 0) return to === 1 ? wins : `${wins} under ${high}`;
    return to === 1 ? `${who} over ${low}` : `${who} from ${low} to ${high}`;
  });
  return parts.join(", ");
}

const MOST_DIGITS = 8;

/** The ends of a range, rounded into it, with as many digits as it takes to tell them apart and from 0 and 1. */
function edges(from: number, to: number): readonly [string, string] {
  for (let digits = 2; digits < MOST_DIGITS; digits++) {
    const scale = 10 ** digits;
    // A billionth is what an end like .4 may be off by.
    const [low, high] = [Math.ceil(from * scale - 1e-9) / scale, Math.floor(to * scale + 1e-9) / scale];
    const isInside = (end: number, bound: number): boolean => bound === end || (end > 0 && end < 1);
    if (low < high && isInside(low, from) && isInside(high, to)) return [low.toFixed(digits), high.toFixed(digits)];
  }
  return [from.toFixed(MOST_DIGITS), to.toFixed(MOST_DIGITS)];
}

const DIMENSION_WEIGHTS: Readonly<Record<Dimension, string>> = {
  capability: "capability",
  "tool-calls": "tool-call",
  refusal: "refusal",
  safety: "safety",
  feel: "feel",
  calibration: "calibration",
  regression: "regression",
  cost: "cost",
};

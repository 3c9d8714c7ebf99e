import { newDrawTable } from "./draw-table.ts";
import type { DrawTable } from "./draw-table.ts";
import { separatedPairs } from "./separated-pairs.ts";
import type { Matrix } from "./symmetric-matrix.ts";

export interface TieGroupsInput {
  /** Estimate of each column, higher is better; NaN: it stands in no group. */
  readonly means: ArrayLike<number>;
  /** k × k, of the estimates: their squared standard errors on the diagonal, 0 beside it where columns are independent. */
  readonly covariance: Matrix;
  /** Of all pairs together: 0.95 finds a difference where there is none in at most 5 % of comparisons. */
  readonly level: number;
  readonly seed: number;
  /** At most so many simulated draws where the bounds leave it open. */
  readonly draws?: number;
  /** Degrees of freedom of the covariance: samples − 1, or clusters − 1; left out: many. */
  readonly degrees?: number;
  /** Draws shared by the rows of one page; left out: made anew. */
  readonly table?: DrawTable;
}

export interface TieGroups {
  /** Columns best first, without those that are NaN; equal ones in the order given. */
  readonly order: readonly number[];
  /** Longest runs of the order without a pair told apart; they may overlap. A column told from all others is a run by itself. */
  readonly groups: readonly (readonly number[])[];
  separated(first: number, second: number): boolean;
}

const DRAWS = 1_024;

/**
 * Groups of columns that are not told apart, in place of ranks: all pairs by the step-down max-T test over the multivariate normal (or t) with the
 * covariance given (Hothorn, Bretz & Westfall 2008; Westfall & Young 1993), groups as in the compact letter display of Piepho 2004 but along the
 * order only. Same input and seed, same groups.
 *
 * A pair whose error is not known is never told apart; one without any error is, if it differs.
 */
export function tieGroups({
  means,
  covariance,
  level,
  seed,
  draws = DRAWS,
  degrees = Number.POSITIVE_INFINITY,
  table,
}: TieGroupsInput): TieGroups {
  const order = Array.from({ length: means.length }, (_, column) => column)
    .filter((column) => !Number.isNaN(means[column] ?? Number.NaN))
    .sort((a, b) => (means[b] ?? 0) - (means[a] ?? 0) || a - b);
  const size = means.length;
  const apart = separatedPairs({ means, covariance, columns: order, alpha: 1 - level, draws, degrees, table: table ?? newDrawTable(seed) });
  const separated = (first: number, second: number): boolean => apart[first * size + second] === 1;
  return { order, groups: longestRuns(order, separated), separated };
}

function longestRuns(order: readonly number[], separated: (first: number, second: number) => boolean): readonly (readonly number[])[] {
  const runs: (readonly number[])[] = [];
  let start = 0;
  order.forEach((column, end) => {
    // The run that this column is in starts after the nearest column that it is told from.
    const from = order.slice(start, end).findLastIndex((other) => separated(other, column));
    if (from < 0) return;
    runs.push(order.slice(start, end));
    start += from + 1;
  });
  if (start < order.length) runs.push(order.slice(start));
  return runs;
}

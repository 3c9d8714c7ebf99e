import { newtonFit } from "./bradley-terry-newton.ts";
import { comparisonGraph } from "./comparison-graph.ts";
import type { PairwiseJudgements } from "./pairwise-judgements.ts";
import type { Matrix } from "./symmetric-matrix.ts";

export interface BradleyTerryOptions {
  /** Weight of a penalty ½ · ridge · Σ rating², over standardised covariates too; makes unbounded ratings finite, at the price of a bias to 0. */
  readonly ridge?: number;
  readonly maxIterations?: number;
}

export interface BradleyTerryFit {
  /**
   * Log odds: P(i over j) = 1 / (1 + exp(r_j − r_i)). Of mean 0 within each component, so only differences within a component mean anything. NaN: never
   * compared, or without a finite maximum.
   */
  readonly ratings: Float64Array;
  readonly errors: Float64Array;
  /** items × items; the error of r_i − r_j is √(c_ii + c_jj − 2 c_ij). */
  readonly covariance: Matrix;
  /** By covariate, log odds per unit. */
  readonly effects: readonly { readonly effect: number; readonly error: number }[];
  readonly converged: boolean;
  readonly iterations: number;
  /** Items that were compared with one another, directly or over others; more than one: they cannot be put into one order. */
  readonly components: readonly (readonly number[])[];
  /** Items that won or lost everything against a part of their component: without a ridge their ratings are NaN. */
  readonly unbounded: readonly number[];
  /** Judgements that were used. */
  readonly n: number;
  /** What is wrong with the fit, in sentences; null: nothing. */
  readonly why: string | null;
}

const ITERATIONS = 100;

/**
 * Bradley–Terry ratings by maximum likelihood (Bradley & Terry 1952), with covariates as in the style control of Chatbot Arena (Li et al. 2024) and
 * the length control of AlpacaEval (Dubois et al. 2024): logit P(left) = r_left − r_right + Σ effect · covariate. Newton's method with step
 * halving; a tie is half a win for each. Errors are from the inverse information: judgements are taken as independent.
 *
 * What has no finite maximum is found beforehand on the graph of wins (Ford 1957) and told, not handed out as a large number.
 */
export function bradleyTerry(
  judgements: PairwiseJudgements,
  { ridge = 0, maxIterations = ITERATIONS }: BradleyTerryOptions = {},
): BradleyTerryFit {
  const rows = usableRows(judgements);
  const graph = comparisonGraph(judgements.items, comparisonsOf(judgements, rows));
  const unbounded = new Set(ridge === 0 ? graph.unbounded : []);
  const rated = graph.components.filter((members) => members.length > 1 && !members.some((item) => unbounded.has(item)));
  const inFit = new Set(rated.flat());
  const fitted = rows.filter((row) => inFit.has(judgements.left[row] ?? -1));
  const fit = newtonFit(judgements, { rows: fitted, components: rated, ridge, maxIterations });
  return {
    ...fit,
    components: graph.components,
    unbounded: graph.unbounded,
    n: rows.length,
    why: reasons(graph, { ridge, n: rows.length, fault: fit.fault }),
  };
}

/** Judgements of two different items, with a preference from 0 to 1, a positive weight and finite covariates. */
function usableRows({ items, left, right, preference, weights, covariates = [] }: PairwiseJudgements): readonly number[] {
  const isItem = (value: number | undefined): boolean => value !== undefined && Number.isInteger(value) && value >= 0 && value < items;
  return Array.from({ length: preference.length }, (_, row) => row).filter((row) => {
    const share = preference[row] ?? Number.NaN;
    return (
      share >= 0 &&
      share <= 1 &&
      isItem(left[row]) &&
      isItem(right[row]) &&
      left[row] !== right[row] &&
      (weights === undefined || (weights[row] ?? 0) > 0) &&
      covariates.every((column) => Number.isFinite(column[row]))
    );
  });
}

function* comparisonsOf({ left, right, preference }: PairwiseJudgements, rows: readonly number[]) {
  for (const row of rows) yield { left: left[row] ?? 0, right: right[row] ?? 0, preference: preference[row] ?? 0 };
}

function reasons(
  { components, unbounded }: ReturnType<typeof comparisonGraph>,
  { ridge, n, fault }: { readonly ridge: number; readonly n: number; readonly fault: string | null },
): string | null {
  if (n === 0) return "Nothing was judged.";
  const sentences: string[] = [];
  if (components.length > 1) {
    sentences.push(`${components.length} groups were never compared with one another: ratings hold within a group only.`);
  }
  if (unbounded.length > 0) {
    const what = `${unbounded.length} of the items won or lost every comparison with a part of the others`;
    sentences.push(ridge > 0 ? `${what}: only the ridge of ${ridge} keeps their ratings finite.` : `${what}: they have no finite rating.`);
  }
  if (fault !== null) sentences.push(fault);
  return sentences.length === 0 ? null : sentences.join(" ");
}

import type { PairwiseJudgements } from "./pairwise-judgements.ts";
import { invertPositive } from "./symmetric-matrix.ts";

interface NewtonInput {
  /** Judgements that count, and groups of items whose ratings can be found. */
  readonly rows: readonly number[];
  readonly components: readonly (readonly number[])[];
  readonly ridge: number;
  readonly maxIterations: number;
}

interface NewtonFit {
  readonly ratings: Float64Array;
  readonly errors: Float64Array;
  readonly covariance: readonly Float64Array[];
  readonly effects: readonly { readonly effect: number; readonly error: number }[];
  readonly converged: boolean;
  readonly iterations: number;
  readonly fault: string | null;
}

/** The last step is smaller than this: Newton's method then has about twice as many digits right. */
const STEP = 1e-9;
/** Log odds beyond this are a maximum at infinity: a chance of 1e-13 is not to be learnt from any number of judgements. */
const RUNAWAY = 30;

/** Penalised likelihood of Bradley & Terry by Newton's method. Items outside the components stay NaN. */
export function newtonFit(judgements: PairwiseJudgements, { rows, components, ridge, maxIterations }: NewtonInput): NewtonFit {
  const design = newDesign(judgements, rows);
  const size = design.items + design.covariates.length;
  const parameters = new Float64Array(size);
  let likelihood = likelihoodOf(design, parameters, ridge);
  let iterations = 0;
  let converged = rows.length === 0;
  let fault: string | null = null;
  while (!converged && fault === null && iterations < maxIterations) {
    iterations++;
    const { gradient, inverse } = derivatives(design, parameters, { components, ridge });
    if (inverse === null) {
      fault = "A covariate cannot be told from the ratings or from another one, or the ratings run away: nothing is estimated.";
      break;
    }
    const step = multiply(inverse, gradient);
    let share = 1;
    let tried = moved(parameters, step, share);
    let reached = likelihoodOf(design, tried, ridge);
    for (; !(reached >= likelihood - 1e-9 * Math.abs(likelihood)) && share > 1e-6; reached = likelihoodOf(design, tried, ridge)) {
      share /= 2;
      tried = moved(parameters, step, share);
    }
    parameters.set(tried);
    likelihood = reached;
    converged = step.every((value) => Math.abs(value * share) < STEP);
    if (parameters.some((value) => Math.abs(value) > RUNAWAY))
      fault = "The fit runs away to infinity: a covariate alone settles the judgements.";
  }
  if (!converged && fault === null) fault = `The fit has not converged in ${iterations} iterations.`;
  const inverse = fault === null ? derivatives(design, parameters, { components, ridge }).inverse : null;
  return { ...results(design, parameters, inverse, { components, ridge }), converged: converged && fault === null, iterations, fault };
}

interface Design {
  readonly items: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly preference: Float64Array;
  readonly weight: Float64Array;
  /** Of root mean square 1, so that the ridge weighs all alike. */
  readonly covariates: readonly Float64Array[];
  readonly scales: readonly number[];
}

function newDesign({ items, left, right, preference, weights, covariates = [] }: PairwiseJudgements, rows: readonly number[]): Design {
  const scales = covariates.map((column) => Math.sqrt(rows.reduce((sum, row) => sum + (column[row] ?? 0) ** 2, 0) / rows.length) || 1);
  return {
    items,
    scales,
    left: Int32Array.from(rows, (row) => left[row] ?? 0),
    right: Int32Array.from(rows, (row) => right[row] ?? 0),
    preference: Float64Array.from(rows, (row) => preference[row] ?? 0),
    weight: Float64Array.from(rows, (row) => weights?.[row] ?? 1),
    covariates: covariates.map((column, at) => Float64Array.from(rows, (row) => (column[row] ?? 0) / (scales[at] ?? 1))),
  };
}

function logOdds({ items, left, right, covariates }: Design, parameters: Float64Array, row: number): number {
  let sum = (parameters[left[row] ?? 0] ?? 0) - (parameters[right[row] ?? 0] ?? 0);
  for (let at = 0; at < covariates.length; at++) sum += (parameters[items + at] ?? 0) * (covariates[at]?.[row] ?? 0);
  return sum;
}

function likelihoodOf(design: Design, parameters: Float64Array, ridge: number): number {
  let sum = 0;
  for (let row = 0; row < design.left.length; row++) {
    const odds = logOdds(design, parameters, row);
    // log(1 / (1 + e^−x)) without overflow at either end.
    const logWin = -Math.log1p(Math.exp(-Math.abs(odds))) + Math.min(odds, 0);
    sum += (design.weight[row] ?? 1) * (logWin - (1 - (design.preference[row] ?? 0)) * odds);
  }
  for (const value of parameters) sum -= (ridge / 2) * value * value;
  return sum;
}

function derivatives(
  design: Design,
  parameters: Float64Array,
  { components, ridge }: Pick<NewtonInput, "components" | "ridge">,
): { readonly gradient: Float64Array; readonly inverse: Float64Array | null } {
  const size = parameters.length;
  const gradient = parameters.map((value) => -ridge * value);
  const information = new Float64Array(size * size);
  const add = (row: number, column: number, value: number): void => {
    information[row * size + column] = (information[row * size + column] ?? 0) + value;
  };
  const places = [0, 0, ...design.covariates.map((_, at) => design.items + at)];
  const values = [1, -1, ...design.covariates.map(() => 0)];
  for (let row = 0; row < design.left.length; row++) {
    places[0] = design.left[row] ?? 0;
    places[1] = design.right[row] ?? 0;
    design.covariates.forEach((column, at) => {
      values[2 + at] = column[row] ?? 0;
    });
    const chance = 1 / (1 + Math.exp(-logOdds(design, parameters, row)));
    const weight = design.weight[row] ?? 1;
    const surprise = weight * ((design.preference[row] ?? 0) - chance);
    const curvature = weight * chance * (1 - chance);
    for (let a = 0; a < places.length; a++) {
      const at = places[a] ?? 0;
      const scaled = curvature * (values[a] ?? 0);
      gradient[at] = (gradient[at] ?? 0) + surprise * (values[a] ?? 0);
      for (let b = 0; b < places.length; b++) add(at, places[b] ?? 0, scaled * (values[b] ?? 0));
    }
  }
  for (let at = 0; at < size; at++) add(at, at, ridge);
  forSumZero(components, (row, column, value) => add(row, column, value));
  const isFixed = new Set(components.flat());
  for (let item = 0; item < design.items; item++) if (!isFixed.has(item)) add(item, item, 1);
  return { gradient, inverse: invertPositive(information, size) };
}

/** The likelihood knows differences only; this term holds each component's mean at 0 and makes the information invertible. */
function forSumZero(components: readonly (readonly number[])[], add: (row: number, column: number, value: number) => void): void {
  for (const members of components) for (const row of members) for (const column of members) add(row, column, 1 / members.length);
}

function multiply(matrix: Float64Array, vector: Float64Array): Float64Array {
  return vector.map((_, row) => vector.reduce((sum, value, column) => sum + (matrix[row * vector.length + column] ?? 0) * value, 0));
}

function moved(from: Float64Array, step: Float64Array, share: number): Float64Array {
  return from.map((value, at) => value + share * (step[at] ?? 0));
}

function results(
  { items, covariates, scales }: Design,
  parameters: Float64Array,
  inverse: Float64Array | null,
  { components, ridge }: Pick<NewtonInput, "components" | "ridge">,
): Pick<NewtonFit, "ratings" | "errors" | "covariance" | "effects"> {
  const size = parameters.length;
  const isRated = new Set(inverse === null ? [] : components.flat());
  const covariance = Array.from({ length: items }, (_, row) =>
    Float64Array.from({ length: items }, (__, column) =>
      isRated.has(row) && isRated.has(column) ? (inverse?.[row * size + column] ?? Number.NaN) : Number.NaN,
    ),
  );
  // What the term for the mean has put in is no variance.
  forSumZero(inverse === null ? [] : components, (row, column, value) => {
    const line = covariance[row];
    if (line !== undefined) line[column] = (line[column] ?? Number.NaN) - value / (1 + ridge);
  });
  return {
    covariance,
    ratings: Float64Array.from({ length: items }, (_, item) => (isRated.has(item) ? (parameters[item] ?? Number.NaN) : Number.NaN)),
    errors: Float64Array.from({ length: items }, (_, item) => Math.sqrt(covariance[item]?.[item] ?? Number.NaN)),
    effects: covariates.map((_, at) => {
      const place = items + at;
      const scale = scales[at] ?? 1;
      const error = Math.sqrt(inverse?.[place * size + place] ?? Number.NaN) / scale;
      return { effect: Number.isNaN(error) ? Number.NaN : (parameters[place] ?? Number.NaN) / scale, error };
    }),
  };
}

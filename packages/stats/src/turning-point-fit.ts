/** Held-out scores in order of training, higher is better. */
export interface TurningPointFitInput {
  /** Distance from the start: the root of the KL to the reference, or steps. At or above 0; not all alike. */
  readonly distances: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Gao, Schulman & Hilton 2023: a score that is over-optimised goes as a + d (b + c log d) with c below zero, over d the root of the KL. */
export interface TurningPointFit {
  /** Coefficients over d / {@link scale}. */
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** Largest distance. */
  readonly scale: number;
  /** Standard error of one value, from the residuals: it holds what the curve does not describe as well. */
  readonly error: number;
  readonly degrees: number;
  /** Fitted slope at the largest distance over its standard error, both from the residuals: Student's t. */
  readonly slopeT: number;
  /** The same as a score of the standard normal that is as far out. */
  readonly slopeZ: number;
}

/**
 * Least-squares fit of a + b d + c d log d. The basis keeps its family under a change of unit, so d is scaled to 1 at its largest, which conditions the
 * equations. Null below five values, or where the distances do not tell the terms apart.
 */
export function fitTurningPoint({ distances, values }: TurningPointFitInput): TurningPointFit | null {
  const count = Math.min(distances.length, values.length);
  let scale = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    scale = Math.max(scale, distances[index] ?? 0);
    least = Math.min(least, distances[index] ?? 0);
  }
  if (count < 5 || !(scale > 0) || least < 0) return null;
  const sums = normalEquations(distances, values, count, scale);
  const inverse = invert(sums.matrix);
  if (inverse === null) return null;
  const [a, b, c] = [0, 1, 2].map((row) => inverse[row]?.reduce((sum, value, column) => sum + value * (sums.right[column] ?? 0), 0) ?? 0);
  if (a === undefined || b === undefined || c === undefined) return null;
  const degrees = count - 3;
  const error = Math.sqrt(residualSquares({ a, b, c, scale }, distances, values, count) / degrees);
  const [vbb, vbc, vcc] = [inverse[1]?.[1] ?? 0, inverse[1]?.[2] ?? 0, inverse[2]?.[2] ?? 0];
  // The derivative b + c (1 + log u) at u = 1.
  const slopeT = ratio(b + c, error * Math.sqrt(Math.max(0, vbb + 2 * vbc + vcc)));
  return { a, b, c, scale, error, degrees, slopeT, slopeZ: scoreOfStudent(slopeT, degrees) };
}

/** The fitted score at a distance. */
export function turningPointAt({ a, b, c, scale }: Pick<TurningPointFit, "a" | "b" | "c" | "scale">, distance: number): number {
  const u = distance / scale;
  return a + b * u + c * (u > 0 ? u * Math.log(u) : 0);
}

function normalEquations(distances: ArrayLike<number>, values: ArrayLike<number>, count: number, scale: number) {
  const matrix = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const right = new Float64Array(3);
  for (let index = 0; index < count; index++) {
    const u = (distances[index] ?? 0) / scale;
    const basis = [1, u, u > 0 ? u * Math.log(u) : 0];
    for (const [row, x] of basis.entries()) {
      right[row] = (right[row] ?? 0) + x * (values[index] ?? 0);
      const line = matrix[row];
      if (line !== undefined) for (const [column, y] of basis.entries()) line[column] = (line[column] ?? 0) + x * y;
    }
  }
  return { matrix, right };
}

/** Inverse of a symmetric positive matrix by Gauss and Jordan with pivots; null where it has none to a part in 10^12. */
function invert(matrix: readonly Float64Array[]): readonly (readonly number[])[] | null {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, ...Array.from({ length: size }, (_, column) => (column === at ? 1 : 0))]);
  const largest = Math.max(...matrix.map((row, at) => row[at] ?? 0));
  for (let column = 0; column < size; column++) {
    let best = column;
    for (let row = column; row < size; row++) if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row;
    const [top, pivotRow] = [rows[column], rows[best]];
    const pivot = pivotRow?.[column] ?? 0;
    if (top === undefined || pivotRow === undefined || !(Math.abs(pivot) > 1e-12 * largest)) return null;
    rows[best] = top;
    rows[column] = pivotRow.map((value) => value / pivot);
    const unit = rows[column] ?? [];
    for (let row = 0; row < size; row++) {
      const factor = rows[row]?.[column] ?? 0;
      if (row !== column) rows[row] = (rows[row] ?? []).map((value, at) => value - factor * (unit[at] ?? 0));
    }
  }
  return rows.map((row) => row.slice(size));
}

function residualSquares(
  fit: Pick<TurningPointFit, "a" | "b" | "c" | "scale">,
  distances: ArrayLike<number>,
  values: ArrayLike<number>,
  count: number,
): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += ((values[index] ?? 0) - turningPointAt(fit, distances[index] ?? 0)) ** 2;
  return sum;
}

/** A value in its standard errors; without an error as far out as a number can be. */
export function ratio(value: number, error: number): number {
  if (error > 0) return value / error;
  return value === 0 ? 0 : Math.sign(value) * Number.MAX_VALUE;
}

/** A score of the standard normal as far out as Student's t is with so many degrees of freedom. Wallace 1959, within 0.1 for two degrees and better above. */
export function scoreOfStudent(t: number, degrees: number): number {
  const size = (8 * degrees + 1) / (8 * degrees + 3);
  return Math.sign(t) * size * Math.sqrt(degrees * Math.log1p(Math.min((t * t) / degrees, Number.MAX_VALUE)));
}

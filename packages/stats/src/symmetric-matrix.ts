/** A symmetric matrix as its rows. */
export type Matrix = readonly ArrayLike<number>[];

/**
 * Lower triangle L with L·Lᵀ = matrix, flat and row by row (Cholesky). A pivot that is zero but for rounding gives a column of zeros, so that
 * columns that say the same (two identical checkpoints) are allowed.
 * @param matrix k × k, flat, symmetric and positive semidefinite
 */
export function choleskyFactor(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  let largest = 0;
  for (let row = 0; row < size; row++) largest = Math.max(largest, matrix[row * size + row] ?? 0);
  for (let column = 0; column < size; column++) {
    let pivot = matrix[column * size + column] ?? 0;
    for (let at = 0; at < column; at++) pivot -= (factor[column * size + at] ?? 0) ** 2;
    if (!(pivot > largest * 1e-12)) continue;
    const root = Math.sqrt(pivot);
    factor[column * size + column] = root;
    for (let row = column + 1; row < size; row++) {
      let sum = matrix[row * size + column] ?? 0;
      for (let at = 0; at < column; at++) sum -= (factor[row * size + at] ?? 0) * (factor[column * size + at] ?? 0);
      factor[row * size + column] = sum / root;
    }
  }
  return factor;
}

/**
 * Inverse of a positive definite matrix, flat and row by row, by Gauss and Jordan without pivoting.
 * @returns null where it is singular, or so near that fewer than three digits would hold
 */
export function invertPositive(matrix: Float64Array, size: number): Float64Array | null {
  const work = matrix.slice();
  const inverse = new Float64Array(size * size);
  for (let row = 0; row < size; row++) inverse[row * size + row] = 1;
  for (let column = 0; column < size; column++) {
    const pivot = work[column * size + column] ?? 0;
    if (!(pivot > 1e-13 * Math.abs(matrix[column * size + column] ?? 0))) return null;
    for (let at = 0; at < size; at++) {
      work[column * size + at] = (work[column * size + at] ?? 0) / pivot;
      inverse[column * size + at] = (inverse[column * size + at] ?? 0) / pivot;
    }
    for (let row = 0; row < size; row++) {
      const factor = work[row * size + column] ?? 0;
      if (row === column || factor === 0) continue;
      for (let at = 0; at < size; at++) {
        work[row * size + at] = (work[row * size + at] ?? 0) - factor * (work[column * size + at] ?? 0);
        inverse[row * size + at] = (inverse[row * size + at] ?? 0) - factor * (inverse[column * size + at] ?? 0);
      }
    }
  }
  return inverse;
}

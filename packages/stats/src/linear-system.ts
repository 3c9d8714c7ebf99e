/**
 * Solves A x = b by Gaussian elimination with partial pivoting. A is row-major, n × n; both arguments are used up.
 * A singular matrix gives non-finite entries.
 */
export function solveLinear(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  const at = (row: number, column: number): number => matrix[row * n + column] ?? Number.NaN;
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let row = column + 1; row < n; row++) if (Math.abs(at(row, column)) > Math.abs(at(pivot, column))) pivot = row;
    if (pivot !== column) swapRows(matrix, right, column, pivot);
    for (let row = column + 1; row < n; row++) {
      const factor = at(row, column) / at(column, column);
      if (factor === 0) continue;
      for (let inner = column; inner < n; inner++) matrix[row * n + inner] = at(row, inner) - factor * at(column, inner);
      right[row] = (right[row] ?? 0) - factor * (right[column] ?? 0);
    }
  }
  const solution = new Float64Array(n);
  for (let row = n - 1; row >= 0; row--) {
    let sum = right[row] ?? 0;
    for (let column = row + 1; column < n; column++) sum -= at(row, column) * (solution[column] ?? 0);
    solution[row] = sum / at(row, row);
  }
  return solution;
}

function swapRows(matrix: Float64Array, right: Float64Array, a: number, b: number): void {
  const n = right.length;
  const held = matrix.slice(a * n, (a + 1) * n);
  matrix.copyWithin(a * n, b * n, (b + 1) * n);
  matrix.set(held, b * n);
  const heldRight = right[a] ?? 0;
  right[a] = right[b] ?? 0;
  right[b] = heldRight;
}

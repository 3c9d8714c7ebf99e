/** P for the baseline, then A, B, C… */
export function letterOf(column: number): string {
  return column === 0 ? "P" : String.fromCharCode("A".charCodeAt(0) + column - 1);
}

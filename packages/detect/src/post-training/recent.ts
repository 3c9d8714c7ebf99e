/** Adds a value and lets the oldest go beyond `capacity`. */
export function pushRecent(recent: number[], capacity: number, value: number): void {
  recent.push(value);
  if (recent.length > capacity) recent.shift();
}

/** NaN for none. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard deviation of one value from the differences between neighbours (von Neumann 1941): a slow drift does not count as noise. NaN below two values. */
export function scatterOf(values: readonly number[]): number {
  if (values.length < 2) return Number.NaN;
  let squares = 0;
  for (let index = 1; index < values.length; index++) squares += ((values[index] ?? 0) - (values[index - 1] ?? 0)) ** 2;
  return Math.sqrt(squares / (2 * (values.length - 1)));
}

/** The same, widened by its own error: the scatter of a dozen values is known to a third, and a threshold in standard errors takes it for known. */
export function sureScatterOf(values: readonly number[]): number {
  return scatterOf(values) * (1 + 1 / Math.sqrt(values.length));
}

/** A share as people read it. `12.3 %` */
export function sayPercent(share: number): string {
  return `${(100 * share).toFixed(Math.abs(share) < 0.1 ? 1 : 0)} %`;
}

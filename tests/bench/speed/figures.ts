import { loadavg } from "node:os";

/** The value below which a share of the values lies (nearest rank): no value is made up. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("no values to take a quantile of");
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Three significant digits: more would be noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

/** Load of the machine over the last minute: what else ran beside the bench. */
export function loadNow(): number {
  return rounded(loadavg()[0] ?? Number.NaN);
}

export async function timedMs(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await act();
  return performance.now() - started;
}

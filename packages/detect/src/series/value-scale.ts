/**
 * The scale on which a series is judged. Loss and norms move by ratios, so their log is (detection.md A.2); a loss at or below zero (RL) has no log and is
 * judged on its linear residual.
 */
export type ValueScale = "log" | "linear";

export function onScale(value: number, scale: ValueScale): number {
  return scale === "log" ? Math.log(value) : value;
}

export function offScale(scaled: number, scale: ValueScale): number {
  return scale === "log" ? Math.exp(scaled) : scaled;
}

/** The position of a step on the trend axis: a falling loss is close to a power law, hence to a straight line in log step. */
export function trendPosition(step: number): number {
  return Math.log1p(Math.max(step, 0));
}

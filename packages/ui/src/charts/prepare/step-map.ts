import type { Axis, SeriesLine } from "@trainwatch/core";

/** Where a step lies on the asked axis; null where the window does not tell. */
export type StepMap = (step: number, attempt: string | null) => number | null;

interface Pair {
  readonly step: number;
  readonly x: number;
}

/**
 * Steps to the axis, piecewise linear through what the lines of a window know (product.md "Step and time"). The same step lies at
 * two times in two attempts, so an attempt's own line goes before the effective view. Steps outside the window have no place.
 */
export function stepMap(axis: Axis, lines: readonly SeriesLine[]): StepMap {
  if (axis === "step") return (step) => step;
  const byAttempt = new Map<string, Pair[]>();
  const effective: Pair[] = [];
  for (const line of lines) {
    const pairs = pairsOf(line);
    byAttempt.set(line.attempt, [...(byAttempt.get(line.attempt) ?? []), ...pairs]);
    if (!line.superseded) effective.push(...pairs);
  }
  const tables = new Map([...byAttempt].map(([attempt, pairs]) => [attempt, ascendingPairs(pairs)]));
  const whole = ascendingPairs(effective);
  return (step, attempt) => {
    const own = attempt === null ? undefined : tables.get(attempt);
    return (own === undefined ? null : interpolate(own, step)) ?? interpolate(whole, step);
  };
}

function pairsOf(line: SeriesLine): Pair[] {
  const pairs: Pair[] = [];
  line.x.forEach((x, index) => {
    pairs.push({ step: line.stepFirst[index] ?? 0, x });
    for (const [step, at] of [
      [line.minStep[index], line.minX[index]],
      [line.maxStep[index], line.maxX[index]],
    ] as const) {
      if (typeof step === "number" && typeof at === "number") pairs.push({ step, x: at });
    }
  });
  return pairs;
}

function ascendingPairs(pairs: readonly Pair[]): readonly Pair[] {
  const sorted = [...pairs].sort((a, b) => a.step - b.step || a.x - b.x);
  return sorted.filter((pair, index) => pair.step !== sorted[index - 1]?.step);
}

function interpolate(pairs: readonly Pair[], step: number): number | null {
  let low = 0;
  let high = pairs.length - 1;
  const first = pairs[low];
  const last = pairs[high];
  if (first === undefined || last === undefined || step < first.step || step > last.step) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((pairs[middle]?.step ?? 0) <= step) low = middle;
    else high = middle;
  }
  const a = pairs[low] ?? first;
  const b = pairs[high] ?? last;
  return b.step === a.step ? a.x : a.x + ((b.x - a.x) * (step - a.step)) / (b.step - a.step);
}

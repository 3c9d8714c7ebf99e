import { interpolateWithin, type Axis, type SeriesLine } from "@trainwatch/core";

/** Where a step lies on the asked axis; null where the window does not tell. */
export type StepPlaces = (step: number, attempt: string | null) => number | null;

interface Pair {
  readonly step: number;
  readonly x: number;
}

/**
 * Steps to the axis, piecewise linear through what the lines of a window know (product.md "Step and time"). The same step lies at
 * two times in two attempts, so an attempt's own line goes before the effective view. Steps outside the window have no place.
 */
export function stepPlaces(axis: Axis, lines: readonly SeriesLine[]): StepPlaces {
  if (axis === "step") return (step) => step;
  const byAttempt = new Map<string, Pair[]>();
  const effective: Pair[] = [];
  for (const line of lines) {
    const pairs = pairsOf(line);
    byAttempt.set(line.attempt, [...(byAttempt.get(line.attempt) ?? []), ...pairs]);
    if (!line.superseded) effective.push(...pairs);
  }
  const tables = new Map([...byAttempt].map(([attempt, pairs]) => [attempt, tableOf(pairs)]));
  const whole = tableOf(effective);
  return (step, attempt) => {
    const own = attempt === null ? undefined : tables.get(attempt);
    return (own === undefined ? null : placeIn(own, step)) ?? placeIn(whole, step);
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

/** Rising steps and where they lie; of several pairs of one step the first place counts. */
interface Table {
  readonly steps: readonly number[];
  readonly xs: readonly number[];
}

function tableOf(pairs: readonly Pair[]): Table {
  const sorted = [...pairs].sort((a, b) => a.step - b.step || a.x - b.x);
  const known = sorted.filter((pair, index) => pair.step !== sorted[index - 1]?.step);
  return { steps: known.map(({ step }) => step), xs: known.map(({ x }) => x) };
}

function placeIn({ steps, xs }: Table, step: number): number | null {
  return interpolateWithin(steps, xs, step) ?? null;
}

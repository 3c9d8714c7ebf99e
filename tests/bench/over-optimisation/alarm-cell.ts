import { wilsonInterval } from "@trainwatch/stats";
import { EVALUATIONS, meanOf, round, toldOf, type Variant } from "./held-out-run.ts";
import type { Shape } from "./shapes.ts";

/** Runs of a shape that never falls in which an alarm is raised; else how late the alarm comes, in evaluations and in true points below the peak. */
export function alarmCell(shape: Shape, variant: Variant, draws: number, seed: number) {
  const alarms = Array.from({ length: draws }, (_, draw) => toldOf(shape, variant, seed + draw).next().value?.evaluation ?? null);
  const told = alarms.flatMap((evaluation) => evaluation ?? []);
  const head = { shape: shape.name, ...variant };
  const { peak } = shape;
  if (peak === null) return { ...head, falseAlarms: told.length / draws, high95: round(wilsonInterval(told.length, draws).high, 4) };
  const late = told.filter((evaluation) => evaluation > peak * EVALUATIONS);
  const points = late
    .map((evaluation) => 100 * (shape.accuracy(peak) - shape.accuracy(evaluation / EVALUATIONS)))
    .toSorted((a, b) => a - b);
  const lags = late.map((evaluation) => evaluation - peak * EVALUATIONS).toSorted((a, b) => a - b);
  return {
    ...head,
    early: (told.length - late.length) / draws,
    missed: (draws - told.length) / draws,
    lagEvaluations: lags[lags.length >> 1] ?? null,
    pointsBelowPeak: { mean: round(meanOf(points), 2), median: round(points[points.length >> 1] ?? Number.NaN, 2) },
  };
}

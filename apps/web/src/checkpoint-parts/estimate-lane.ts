import { formatInteger } from "@trainwatch/ui";
import { estimateLine, type EstimatePoint, type EstimateTurn, type LaneSpec } from "@trainwatch/ui/charts/prepare";
import type { SeriesLine } from "@trainwatch/core";
import type { Measure } from "./measure.ts";

/** A lane and, for the lanes of a window, the line that fills it. */
export interface EstimateLane {
  readonly spec: LaneSpec;
  readonly lines: readonly SeriesLine[];
}

export interface EstimateLaneInput {
  readonly metric: string;
  readonly measure: Measure;
  /** In the source's own scale, as are the values of the curve. */
  readonly points: readonly EstimatePoint[];
  readonly curve: readonly { readonly step: number; readonly value: number | null }[];
  readonly turn: EstimateTurn | null;
  readonly facts: readonly string[];
  readonly heightPx: number;
  readonly hereStep: number | null;
  /** What the lane says when it has no point. */
  readonly missing: string;
}

/** Evaluations over the steps of a run: dots with whiskers, the fitted curve and where it turns. */
export function estimateLane(input: EstimateLaneInput): EstimateLane {
  const { metric, measure, turn, hereStep } = input;
  const scaled = (value: number): number => value * measure.scale;
  const points = input.points.map((point) => ({
    step: point.step,
    value: scaled(point.value),
    low: point.low === null ? null : scaled(point.low),
    high: point.high === null ? null : scaled(point.high),
  }));
  return {
    spec: {
      metric,
      title: measure.title,
      scale: "linear",
      yMode: "robust",
      heightPx: input.heightPx,
      digits: measure.digits,
      facts: input.facts,
      missing: input.missing,
      estimate: {
        scale: measure.scale,
        points,
        curve: input.curve.map(({ step, value }) => ({ step, value: value === null ? null : scaled(value) })),
        turn,
        hereStep,
      },
    },
    lines: points.length === 0 ? [] : [estimateLine(metric, measure.unit, points)],
  };
}

/** "1,790 to 1,940". */
export function stepsText(low: number, high: number): string {
  return low === high ? formatInteger(low) : `${formatInteger(low)} to ${formatInteger(high)}`;
}

import type { SeriesLine } from "@trainwatch/core";
import type { Transform } from "./scale.ts";
import type { TraceRow } from "./trace.ts";

/** A number that is an estimate, with its interval; null ends where no error is known. All in the lane's unit. */
export interface EstimatePoint {
  readonly step: number;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Where a fitted curve turns, with the interval of that place. */
export interface EstimateTurn {
  readonly step: number;
  readonly lowStep: number;
  readonly highStep: number;
  /** "turning point 1,870". */
  readonly text: string;
  /** Whether the turn is more than the shape of a fit: what lies after it is then lit. */
  readonly sure: boolean;
}

/** A lane of estimates: dots with whiskers and, where one was fitted, the curve through them. On the step axis only. */
export interface EstimateSpec {
  /** What a value of the source is multiplied by for the lane's unit: 100 where shares are drawn per cent. Findings speak in the source's. */
  readonly scale: number;
  readonly points: readonly EstimatePoint[];
  /** Vertices of the fitted curve; empty without a fit. */
  readonly curve: readonly { readonly step: number; readonly value: number | null }[];
  readonly turn: EstimateTurn | null;
  /** The point that the page is about. */
  readonly hereStep: number | null;
}

export interface EstimateDot {
  readonly x: number;
  readonly y: number;
  /** Ends of the whisker in scale space. */
  readonly whisker: readonly [low: number, high: number] | null;
  /** After the turn. */
  readonly lit: boolean;
  readonly here: boolean;
}

/** The same in scale space. */
export interface Estimates {
  readonly dots: readonly EstimateDot[];
  readonly curve: readonly TraceRow[];
  readonly turn: EstimateTurn | null;
}

export function estimatesOf(spec: EstimateSpec, transform: Transform): Estimates {
  const { turn, hereStep } = spec;
  return {
    dots: spec.points.flatMap((point): EstimateDot[] => {
      const y = transform.forward(point.value);
      if (y === null) return [];
      const low = point.low === null ? null : transform.forward(point.low);
      const high = point.high === null ? null : transform.forward(point.high);
      return [
        {
          x: point.step,
          y,
          whisker: low === null || high === null ? null : [low, high],
          lit: turn !== null && turn.sure && point.step > turn.step,
          here: point.step === hereStep,
        },
      ];
    }),
    curve: spec.curve.map(({ step, value }) => ({ x: step, y: value === null ? null : transform.forward(value) })),
    turn,
  };
}

/** Every value that must be in view: an interval that is cut off would look surer than it is. */
export function estimateExtent(spec: EstimateSpec): readonly number[] {
  const ends = spec.points.flatMap(({ value, low, high }) => [value, low, high]);
  return [...ends, ...spec.curve.map(({ value }) => value)].filter((value) => value !== null);
}

/**
 * The points as a line of a window, so that the cross-hair, the table and the totals know them. Extremes are the values themselves:
 * whiskers are drawn from the spec.
 */
export function estimateLine(metric: string, unit: string, points: readonly EstimatePoint[]): SeriesLine {
  const ordered = [...points].sort((a, b) => a.step - b.step);
  const steps = ordered.map(({ step }) => step);
  const values = ordered.map(({ value }) => value);
  const lowest = ordered.reduce<EstimatePoint | null>((best, point) => (best === null || point.value < best.value ? point : best), null);
  const highest = ordered.reduce<EstimatePoint | null>((best, point) => (best === null || point.value > best.value ? point : best), null);
  return {
    metric,
    unit: unit === "" ? null : unit,
    attempt: "",
    labels: {},
    members: 1,
    superseded: false,
    x: steps,
    stepFirst: steps,
    stepLast: steps,
    count: steps.map(() => 1),
    mean: values,
    min: values,
    max: values,
    minX: steps,
    maxX: steps,
    minStep: steps,
    maxStep: steps,
    last: values,
    nonFinite: [],
    summary: {
      points: ordered.length,
      nonFinite: 0,
      zeros: values.filter((value) => value === 0).length,
      negatives: values.filter((value) => value < 0).length,
      min: lowest?.value ?? null,
      minStep: lowest?.step ?? null,
      max: highest?.value ?? null,
      maxStep: highest?.step ?? null,
      last: values.at(-1) ?? null,
      lastStep: steps.at(-1) ?? null,
    },
  };
}

import type { ParetoPoint, ParetoView } from "@trainwatch/core";
import { paretoLabels, type ParetoCross, type ParetoLabel } from "./pareto-labels.ts";
import { linearTickValues, tickTexts, type Tick } from "../ticks.ts";

export type ParetoMark = ParetoCross & ParetoLabel;

export interface ParetoPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly marks: readonly ParetoMark[];
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  /** Steps along the points that none beats in both, as an SVG path. */
  readonly front: string;
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
}

const PLOT = { left: 34, right: 6, top: 18, bottom: 20 } as const;
const AIR = 0.08;
/** Quality comes as a share of all there is to reach and is written in per cent. */
const PERCENT = 100;

/** Quality up, cost to the right, both with their intervals; labels stand where they cover no other mark, its whiskers or its label. */
export function paretoPicture(view: ParetoView, widthPx: number, heightPx: number): ParetoPicture | null {
  if (view.points.length === 0) return null;
  const plot = { left: PLOT.left, right: widthPx - PLOT.right, top: PLOT.top, bottom: heightPx - PLOT.bottom };
  const cost = range(view.points.flatMap(({ cost, costLow, costHigh }) => [cost, costLow ?? cost, costHigh ?? cost]));
  const quality = range(
    view.points.flatMap(({ quality, qualityLow, qualityHigh }) => [quality, qualityLow ?? quality, qualityHigh ?? quality]),
  );
  const x = (value: number): number => plot.left + ((value - cost.low) / (cost.high - cost.low)) * (plot.right - plot.left);
  const y = (value: number): number => plot.bottom - ((value - quality.low) / (quality.high - quality.low)) * (plot.bottom - plot.top);
  const crosses = view.points.map((point): ParetoCross => ({
    column: point.column,
    x: x(point.cost),
    y: y(point.quality),
    lowX: point.costLow === null ? null : x(point.costLow),
    highX: point.costHigh === null ? null : x(point.costHigh),
    lowY: point.qualityLow === null ? null : y(point.qualityLow),
    highY: point.qualityHigh === null ? null : y(point.qualityHigh),
    onFront: point.onFront,
  }));
  const labels = paretoLabels(crosses, plot);
  const marks = crosses.map((cross, index): ParetoMark => ({
    ...cross,
    ...(labels[index] ?? { labelX: cross.x, labelY: cross.y, labelEnds: false }),
  }));
  return {
    widthPx,
    heightPx,
    marks,
    xTicks: ticks(cost.low, cost.high, 4, x),
    yTicks: ticks(quality.low * PERCENT, quality.high * PERCENT, 3, (value) => y(value / PERCENT)),
    front: frontPath(view.points, x, y, plot),
    plot,
  };
}

function range(values: readonly number[]): { readonly low: number; readonly high: number } {
  const low = Math.min(...values);
  const high = Math.max(...values);
  const air = high > low ? (high - low) * AIR : Math.max(Math.abs(high) * AIR, 1e-9);
  return { low: low - air, high: high + air };
}

function ticks(low: number, high: number, count: number, place: (value: number) => number): readonly Tick[] {
  const values = linearTickValues(low, high, count);
  const texts = tickTexts(values, 1);
  return values.map((value, index) => ({ at: place(value), text: texts[index] ?? "" }));
}

function frontPath(
  points: readonly ParetoPoint[],
  x: (value: number) => number,
  y: (value: number) => number,
  plot: { readonly right: number; readonly bottom: number },
): string {
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.cost - b.cost);
  const [first] = front;
  if (first === undefined) return "";
  const steps = front.map((point, index) => `${index === 0 ? "" : `H${px(x(point.cost))}`}V${px(y(point.quality))}`);
  return `M${px(x(first.cost))} ${px(plot.bottom)}${steps.join("")}H${px(plot.right)}`;
}

function px(value: number): string {
  return value.toFixed(1);
}

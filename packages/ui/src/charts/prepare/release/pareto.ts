import type { ParetoPoint, ParetoView } from "@trainwatch/core";
import { linearTickValues, tickTexts, type Tick } from "../ticks.ts";

export interface ParetoMark {
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly lowX: number | null;
  readonly highX: number | null;
  readonly lowY: number | null;
  readonly highY: number | null;
  readonly onFront: boolean;
  readonly labelX: number;
  readonly labelY: number;
  readonly labelEnds: boolean;
}

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

/** Quality up, cost to the right, both with their intervals; labels stand where they cover no other mark. */
export function paretoPicture(view: ParetoView, widthPx: number, heightPx: number): ParetoPicture | null {
  if (view.points.length === 0) return null;
  const plot = { left: PLOT.left, right: widthPx - PLOT.right, top: PLOT.top, bottom: heightPx - PLOT.bottom };
  const cost = range(view.points.flatMap(({ cost, costLow, costHigh }) => [cost, costLow ?? cost, costHigh ?? cost]));
  const quality = range(
    view.points.flatMap(({ quality, qualityLow, qualityHigh }) => [quality, qualityLow ?? quality, qualityHigh ?? quality]),
  );
  const x = (value: number): number => plot.left + ((value - cost.low) / (cost.high - cost.low)) * (plot.right - plot.left);
  const y = (value: number): number => plot.bottom - ((value - quality.low) / (quality.high - quality.low)) * (plot.bottom - plot.top);
  const places = view.points.map((point) => ({ x: x(point.cost), y: y(point.quality) }));
  const marks = view.points.map((point, index): ParetoMark => {
    const at = places[index] ?? { x: 0, y: 0 };
    return {
      column: point.column,
      ...at,
      lowX: point.costLow === null ? null : x(point.costLow),
      highX: point.costHigh === null ? null : x(point.costHigh),
      lowY: point.qualityLow === null ? null : y(point.qualityLow),
      highY: point.qualityHigh === null ? null : y(point.qualityHigh),
      onFront: point.onFront,
      ...labelPlace(at, places, plot.right),
    };
  });
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

interface Place {
  readonly x: number;
  readonly y: number;
}
const CORNERS = [
  { dx: 8, dy: -6 },
  { dx: 8, dy: 14 },
  { dx: -8, dy: -6 },
  { dx: -8, dy: 14 },
] as const;
const LABEL = { width: 12, height: 12 } as const;

/** The first corner of the mark whose label covers no other mark and stays on the plot. */
function labelPlace(at: Place, all: readonly Place[], rightPx: number): Pick<ParetoMark, "labelX" | "labelY" | "labelEnds"> {
  const fits = CORNERS.find(({ dx, dy }) => {
    const left = dx > 0 ? at.x + dx : at.x + dx - LABEL.width;
    const top = at.y + dy - LABEL.height;
    if (left + LABEL.width > rightPx) return false;
    return !all.some(
      (other) =>
        other.x !== at.x && other.x > left - 5 && other.x < left + LABEL.width + 5 && other.y > top - 5 && other.y < top + LABEL.height + 5,
    );
  });
  const corner = fits ?? CORNERS[0];
  return { labelX: at.x + corner.dx, labelY: at.y + corner.dy, labelEnds: corner.dx < 0 };
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

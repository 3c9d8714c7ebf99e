import type { TrendView } from "@trainwatch/core";
import { formatInteger } from "../../../format/index.ts";
import { linearTickValues, tickTexts, type Tick } from "../ticks.ts";

export interface TrendMark {
  readonly step: number;
  readonly x: number;
  readonly y: number;
  readonly lowY: number | null;
  readonly highY: number | null;
  readonly isPeak: boolean;
}
export interface TrendPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly line: string;
  readonly marks: readonly TrendMark[];
  readonly peak: { readonly fromX: number; readonly toX: number; readonly x: number } | null;
  readonly xTicks: readonly Tick[];
  readonly yTicks: readonly Tick[];
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
}

const PLOT = { left: 40, right: 10, top: 8, bottom: 20 } as const;
const AIR = 0.1;

/** One measure over steps: values with their intervals, and the interval of the best step as a column behind. Null without a value. */
export function trendPicture(view: TrendView, widthPx: number, heightPx: number): TrendPicture | null {
  const known = view.points.flatMap((point) =>
    point.value === null || !Number.isFinite(point.value) ? [] : [{ ...point, value: point.value }],
  );
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return null;
  const plot = { left: PLOT.left, right: widthPx - PLOT.right, top: PLOT.top, bottom: heightPx - PLOT.bottom };
  const values = known.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value].map((each) => each * view.scale));
  const bottom = Math.min(...values);
  const top = Math.max(...values);
  const air = top > bottom ? (top - bottom) * AIR : Math.max(Math.abs(top) * AIR, 1e-9);
  const span = Math.max(1, last.step - first.step);
  const x = (step: number): number => plot.left + ((step - first.step) / span) * (plot.right - plot.left);
  const y = (value: number): number =>
    plot.bottom - ((value * view.scale - bottom + air) / (top - bottom + 2 * air)) * (plot.bottom - plot.top);
  const yValues = linearTickValues(bottom - air, top + air, 3);
  const yTexts = tickTexts(yValues, 1);
  const { peak } = view;
  return {
    widthPx,
    heightPx,
    // A step without a value breaks the line.
    line: path(view, x, y),
    marks: known.map(({ step, value, low, high }) => ({
      step,
      x: x(step),
      y: y(value),
      lowY: low === null ? null : y(low),
      highY: high === null ? null : y(high),
      isPeak: peak?.step === step,
    })),
    peak: peak === null ? null : { fromX: x(peak.low), toX: x(peak.high), x: x(peak.step) },
    xTicks: linearTickValues(first.step, last.step, 3).map((step) => ({ at: x(step), text: formatInteger(step) })),
    yTicks: yValues.map((value, index) => ({ at: y(value / view.scale), text: yTexts[index] ?? "" })),
    plot,
  };
}

function path(view: TrendView, x: (step: number) => number, y: (value: number) => number): string {
  let isOpen = false;
  return view.points
    .map(({ step, value }) => {
      if (value === null || !Number.isFinite(value)) {
        isOpen = false;
        return "";
      }
      const move = isOpen ? "L" : "M";
      isOpen = true;
      return `${move}${x(step).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}

import type { PostTrainingSignal, PostTrainingView, SeriesLine, SeriesWindow, TrendView } from "@trainwatch/core";
import type { LaneSpec } from "@trainwatch/ui/charts/prepare";
import { heldOutLane, leadingTrend, trendLane } from "../../checkpoint-parts/held-out-lane.ts";

const HEIGHT_PX = { first: 78, heldOut: 132, last: 68 } as const;
/** What a run that is no post-training shows beside its evaluations. */
const USUAL = ["loss", "grad_norm"] as const;

const metricOf = (view: PostTrainingView, signal: PostTrainingSignal): string | null =>
  view.lanes.find((lane) => lane.signal === signal)?.metric ?? null;

/** Metrics of the run above and below its evaluations. */
export function passportMetrics(view: PostTrainingView): readonly string[] {
  if (!view.isPostTraining) return USUAL;
  return [metricOf(view, "reward"), metricOf(view, "kl")].filter((metric) => metric !== null);
}

export interface PassportLanes {
  readonly specs: readonly LaneSpec[];
  /** Lines that are not of the window: evaluations. */
  readonly lines: readonly SeriesLine[];
  /** Steps that lines and evaluations cover. */
  readonly reach: { readonly from: number; readonly to: number };
}

/** Only the lanes that exist, the evaluations between them; those stand even where there is none, and say so. */
export function passportLanes(input: {
  readonly view: PostTrainingView;
  readonly trends: readonly TrendView[];
  readonly window: SeriesWindow;
  readonly hereStep: number;
}): PassportLanes {
  const { view, trends, window, hereStep } = input;
  const room = { heightPx: HEIGHT_PX.heldOut, hereStep };
  const evaluations = view.isPostTraining ? heldOutLane(view, room) : trendLane(leadingTrend(trends), room);
  const present = new Set(window.lines.map(({ metric }) => metric));
  const [first, last] = view.isPostTraining ? [metricOf(view, "reward"), metricOf(view, "kl")] : USUAL;
  const line = (metric: string | null, heightPx: number): readonly LaneSpec[] =>
    metric === null || !present.has(metric)
      ? []
      : [{ metric, scale: metric === "grad_norm" ? "log" : "linear", yMode: "robust", heightPx, title: titleOf(view, metric) }];
  const steps = [
    ...window.lines.flatMap(({ stepFirst, stepLast }) => [stepFirst[0], stepLast.at(-1)]),
    ...evaluations.lines.flatMap(({ stepFirst, stepLast }) => [stepFirst[0], stepLast.at(-1)]),
  ].filter((step) => step !== undefined);
  return {
    specs: [...line(first ?? null, HEIGHT_PX.first), evaluations.spec, ...line(last ?? null, HEIGHT_PX.last)],
    lines: evaluations.lines,
    reach: { from: Math.min(hereStep, ...steps), to: Math.max(hereStep, ...steps) },
  };
}

function titleOf(view: PostTrainingView, metric: string): string | undefined {
  return view.isPostTraining ? view.lanes.find((lane) => lane.metric === metric)?.title : undefined;
}

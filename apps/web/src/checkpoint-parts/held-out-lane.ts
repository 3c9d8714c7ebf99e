import type { PostTrainingView, TrendView, TurningPoint } from "@trainwatch/core";
import { formatCount, formatInteger, formatShare } from "@trainwatch/ui";
import type { EstimateTurn } from "@trainwatch/ui/charts/prepare";
import { estimateLane, stepsText, type EstimateLane } from "./estimate-lane.ts";
import { measureOf, type Measure } from "./measure.ts";

export interface LaneRoom {
  readonly heightPx: number;
  /** The checkpoint that the page is about. */
  readonly hereStep: number | null;
}

const HELD_OUT_TITLE = "Held-out score";
/** High enough to be seen, and no higher: it only says what is missing. */
const EMPTY_PX = 72;

export function heldOutMeasure({ heldOut, lanes }: Pick<PostTrainingView, "heldOut" | "lanes">): Measure {
  const lane = lanes.find(({ signal }) => signal === "held-out");
  const fallback = { title: lane?.title ?? HELD_OUT_TITLE, unit: lane?.unit ?? "" };
  if (heldOut === null) return { ...fallback, scale: 1, digits: undefined };
  return measureOf(
    heldOut.metric,
    heldOut.points.map(({ value }) => value),
    fallback,
  );
}

/** The held-out score of a post-training run; without results the lane stands and says what is missing. */
export function heldOutLane(view: PostTrainingView, room: LaneRoom): EstimateLane {
  const { heldOut, turningPoint } = view;
  const told = view.lanes.find(({ signal }) => signal === "held-out");
  const measure = heldOutMeasure(view);
  return estimateLane({
    ...room,
    heightPx: heldOut === null ? Math.min(room.heightPx, EMPTY_PX) : room.heightPx,
    metric: heldOut?.metric ?? "held-out",
    measure: { ...measure, title: HELD_OUT_TITLE },
    points: heldOut?.points ?? [],
    curve: heldOut?.points.map(({ step }, index) => ({ step, value: heldOut.fit[index] ?? null })) ?? [],
    turn: turningPoint === null ? null : turnOf(turningPoint),
    facts: [
      ...(heldOut === null ? [] : [heldOut.prompts === null ? measure.title : formatCount(heldOut.prompts, "prompt")]),
      ...(turningPoint === null ? [] : turnFacts(turningPoint)),
    ],
    missing: told?.missing ?? view.why ?? "No held-out evaluation",
  });
}

function turnOf({ peakStep, lowStep, highStep, turned }: TurningPoint): EstimateTurn {
  return {
    step: peakStep,
    lowStep,
    highStep,
    text: `${turned ? "turning point" : "fitted peak"} ${formatInteger(peakStep)}`,
    sure: turned,
  };
}

function turnFacts({ peakStep, lowStep, highStep, confidence }: TurningPoint): readonly string[] {
  return [`fitted peak ${formatInteger(peakStep)}, ${formatShare(confidence, 0).text} %`, `interval ${stepsText(lowStep, highStep)}`];
}

/** A measure over the checkpoints of any run, with its best step. */
export function trendLane(trend: TrendView | null, room: LaneRoom): EstimateLane {
  const peak = trend?.peak ?? null;
  return estimateLane({
    ...room,
    heightPx: trend === null ? Math.min(room.heightPx, EMPTY_PX) : room.heightPx,
    metric: trend?.key ?? "held-out",
    measure:
      trend === null
        ? { title: HELD_OUT_TITLE, unit: "", scale: 1, digits: undefined }
        : { title: trend.title, unit: trend.unit, scale: trend.scale, digits: trend.digits },
    points: trend?.points.flatMap(({ step, value, low, high }) => (value === null ? [] : [{ step, value, low, high }])) ?? [],
    curve: [],
    turn:
      peak === null
        ? null
        : { step: peak.step, lowStep: peak.low, highStep: peak.high, text: `best ${formatInteger(peak.step)}`, sure: false },
    facts:
      peak === null
        ? []
        : [`best ${formatInteger(peak.step)}, ${formatShare(peak.confidence, 0).text} %`, `interval ${stepsText(peak.low, peak.high)}`],
    missing: "No evaluation of this run's checkpoints",
  });
}

/** The trend that says most of a run: task results before the rest, then the one with the most checkpoints. */
export function leadingTrend(trends: readonly TrendView[]): TrendView | null {
  const order = [...trends].sort(
    (a, b) =>
      Number(b.dimension === "capability") - Number(a.dimension === "capability") ||
      b.points.length - a.points.length ||
      (a.title < b.title ? -1 : 1),
  );
  return order[0] ?? null;
}

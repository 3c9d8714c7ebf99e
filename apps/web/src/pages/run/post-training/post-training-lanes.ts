import type { PostTrainingView, SeriesLine, SeriesWindow } from "@trainwatch/core";
import type { LaneSpec } from "@trainwatch/ui/charts/prepare";
import { heldOutLane } from "../../../checkpoint-parts/held-out-lane.ts";
import { laneScale } from "../lane-specs.ts";
import type { RunSearch } from "../search.ts";

const HEIGHT_PX = { reward: 84, heldOut: 148, other: 60 } as const;
/** Lanes grow into an empty page; beyond that they only pull a line apart. */
const MAX_GROWTH = 1.6;
/** Axis and foot below the lanes. */
const BELOW_LANES_PX = 64;

/** Metrics of the log that the lanes are drawn from; held-out results come as estimates of their own. */
export function postTrainingMetrics({ lanes }: Pick<PostTrainingView, "lanes">): readonly string[] {
  return [...new Set(lanes.flatMap(({ signal, metric }) => (signal === "held-out" || metric === null ? [] : [metric])))];
}

export interface PostTrainingLanes {
  readonly specs: readonly LaneSpec[];
  /** Held-out results, which are not of the window. */
  readonly lines: readonly SeriesLine[];
}

/**
 * Lanes that exist, in the order of the view. That of held-out results stands even where there are none: nobody may read its absence
 * as health. The others that are missing are told in words beside the charts.
 */
export function postTrainingLanes(input: {
  readonly view: PostTrainingView;
  readonly window: SeriesWindow;
  readonly search: RunSearch;
  readonly roomPx: number;
}): PostTrainingLanes {
  const { view, window, search } = input;
  const present = new Set(window.lines.map(({ metric }) => metric));
  const shown = view.lanes.filter(({ signal, metric }) => signal === "held-out" || (metric !== null && present.has(metric)));
  const heightOf = (signal: string): number =>
    signal === "reward" ? HEIGHT_PX.reward : signal === "held-out" ? HEIGHT_PX.heldOut : HEIGHT_PX.other;
  const wantedPx = shown.reduce((sum, { signal }) => sum + heightOf(signal), 0);
  const growth = Math.min(MAX_GROWTH, Math.max(1, (input.roomPx - BELOW_LANES_PX) / Math.max(1, wantedPx)));
  const lines: SeriesLine[] = [];
  const specs = shown.flatMap((lane): LaneSpec[] => {
    const heightPx = Math.floor(growth * heightOf(lane.signal));
    if (lane.signal === "held-out") {
      const heldOut = heldOutLane(view, { heightPx, hereStep: null });
      lines.push(...heldOut.lines);
      return [{ ...heldOut.spec, scale: laneScale(heldOut.spec.metric, search) }];
    }
    if (lane.metric === null) return [];
    return [
      {
        metric: lane.metric,
        title: lane.title,
        scale: laneScale(lane.metric, search),
        yMode: search.full?.includes(lane.metric) === true ? "full" : "robust",
        heightPx,
      },
    ];
  });
  return { specs, lines };
}

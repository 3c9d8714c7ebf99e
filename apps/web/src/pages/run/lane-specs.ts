import type { SeriesWindow } from "@trainwatch/core";
import type { LaneSpec, ScaleKind } from "@trainwatch/ui/charts/prepare";
import type { RunSearch } from "./search.ts";

/** What is drawn until the reader chooses, as far as the run has it. */
export const USUAL_METRICS = ["loss", "grad_norm", "learning_rate", "tokens_per_second"] as const;
/** Quantities that span decades: on a linear axis their everyday values would be a flat line at the floor. */
const LOG_METRICS: ReadonlySet<string> = new Set(["grad_norm", "loss_scale"]);
const FIRST_PX = 203;
/** The more lanes, the lower: a job of six lanes is seen without scrolling. */
const OTHER_PX = { few: 88, several: 72, many: 60 } as const;
/** Events, axis and foot below the lanes. */
const BELOW_LANES_PX = 104;
/** Lanes grow into an empty page up to so many times their height: higher ones only pull a line apart. */
const MAX_GROWTH = 3;

/** A lane that shows the run's GPUs. */
export interface FleetLaneSpec {
  readonly metric: string;
  readonly title: string;
}

export function ownScale(metric: string): ScaleKind {
  return LOG_METRICS.has(metric) ? "log" : "linear";
}

export function laneScale(metric: string, search: Pick<RunSearch, "scale">): ScaleKind {
  return search.scale?.[metric] ?? ownScale(metric);
}

/** A search in which the lane has that scale; a scale that is the lane's own leaves no trace. */
export function withScale(search: RunSearch, metric: string, scale: ScaleKind): RunSearch {
  const scales = Object.fromEntries(Object.entries({ ...search.scale, [metric]: scale }).filter(([name, kind]) => kind !== ownScale(name)));
  const { scale: _, ...rest } = search;
  return Object.keys(scales).length === 0 ? rest : { ...rest, scale: scales };
}

/** A search in which the lane shows every value, or fits the ordinary ones again. */
export function withYMode(search: RunSearch, metric: string): RunSearch {
  const before = search.full ?? [];
  const after = before.includes(metric) ? before.filter((name) => name !== metric) : [...before, metric];
  const { full: _, ...rest } = search;
  return after.length === 0 ? rest : { ...rest, full: after };
}

/**
 * Lanes to draw: those chosen, even where they are empty in this range; else the usual ones that have a point.
 * @param roomPx height that the stack may fill; lanes are never lower than their own height
 * @param fleet metrics of the run's GPUs, under its own lanes
 */
export function laneSpecs(
  window: SeriesWindow,
  search: RunSearch,
  roomPx: number,
  fleet: readonly FleetLaneSpec[] = [],
): readonly LaneSpec[] {
  const present = new Set(window.lines.map((line) => line.metric));
  const metrics =
    search.metrics ??
    [...new Set(window.lines.map((line) => line.metric))]
      .sort((a, b) => usualPlace(a) - usualPlace(b))
      .filter((metric) => present.has(metric));
  const lanes = metrics.length + fleet.length;
  const other = lanes <= 4 ? OTHER_PX.few : lanes <= 6 ? OTHER_PX.several : OTHER_PX.many;
  const ownPx = FIRST_PX + other * (lanes - 1);
  const growth = Math.min(MAX_GROWTH, Math.max(1, (roomPx - BELOW_LANES_PX) / ownPx));
  const own = metrics.map((metric, index): LaneSpec => ({
    metric,
    scale: laneScale(metric, search),
    yMode: search.full?.includes(metric) === true ? "full" : "robust",
    heightPx: Math.floor(growth * (index === 0 ? FIRST_PX : other)),
  }));
  return [
    ...own,
    ...fleet.map(({ metric, title }): LaneSpec => ({
      metric,
      title,
      scale: laneScale(metric, search),
      // One hot GPU is what the lane is there for: nothing of it is cut off.
      yMode: "full",
      heightPx: Math.floor(growth * other),
    })),
  ];
}

function usualPlace(metric: string): number {
  const place = USUAL_METRICS.findIndex((usual) => usual === metric);
  return place < 0 ? USUAL_METRICS.length : place;
}

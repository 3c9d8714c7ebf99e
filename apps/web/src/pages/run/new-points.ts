import type { SeriesWindow } from "@trainwatch/core";

/** Points of the line that has most of them: what "n new" counts. */
function longest(window: SeriesWindow): number {
  const byMetric = new Map<string, number>();
  for (const line of window.lines) {
    if (!line.superseded) byMetric.set(line.metric, (byMetric.get(line.metric) ?? 0) + line.summary.points);
  }
  return Math.max(0, ...byMetric.values());
}

/** Points that a held view does not show yet. */
export function newerPoints(shown: SeriesWindow, latest: SeriesWindow): number {
  return Math.max(0, longest(latest) - longest(shown));
}

/** Points that have come in since a view of the past was opened at `seenStep`, by the run's own spacing of points. */
export function pointsSince(shown: SeriesWindow, seenStep: number | null, lastStep: number | null): number {
  if (lastStep === null || seenStep === null || lastStep <= seenStep) return 0;
  const points = longest(shown);
  const known = points >= 2 && shown.fromStep !== null && shown.toStep !== null;
  const spacing = known ? Math.max(1, ((shown.toStep ?? 0) - (shown.fromStep ?? 0)) / (points - 1)) : 1;
  return Math.round((lastStep - seenStep) / spacing);
}

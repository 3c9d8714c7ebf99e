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

/** Logged points after the end of a view of the past, by the spacing of those in it; 0 where that is not known. */
export function pointsAfter(shown: SeriesWindow, lastStep: number | null): number {
  if (lastStep === null || shown.fromStep === null || shown.toStep === null || lastStep <= shown.toStep) return 0;
  const points = longest(shown);
  if (points < 2) return lastStep - shown.toStep;
  const spacing = Math.max(1, (shown.toStep - shown.fromStep) / (points - 1));
  return Math.round((lastStep - shown.toStep) / spacing);
}

import type { SeriesWindow } from "@trainwatch/core";
import { formatInteger } from "../../format/index.ts";

/** How much of the data the picture holds (A5). Numbers beside the picture come from all points either way. */
export interface DrawnBadge {
  readonly bins: number;
  readonly points: number;
  readonly sampled: boolean;
  readonly text: string;
}

/** Bins of the line that needs most of them, points of that line: lanes share one x axis. */
export function drawnBadge(window: SeriesWindow): DrawnBadge {
  let bins = 0;
  let points = 0;
  const byMetric = new Map<string, { bins: number; points: number }>();
  for (const line of window.lines) {
    if (line.superseded) continue;
    const sum = byMetric.get(line.metric) ?? { bins: 0, points: 0 };
    byMetric.set(line.metric, { bins: sum.bins + line.x.length, points: sum.points + line.summary.points });
  }
  for (const sum of byMetric.values()) if (sum.points > points || (sum.points === points && sum.bins > bins)) ({ bins, points } = sum);
  const sampled = bins < points;
  return {
    bins,
    points,
    sampled,
    text: sampled ? `Drawn ${formatInteger(bins)} bins of ${formatInteger(points)} points` : `All ${formatInteger(points)} points drawn`,
  };
}

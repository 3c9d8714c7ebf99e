import type { SeriesWindow } from "@trainwatch/core";
import { formatCount, formatInteger } from "../../format/index.ts";

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

export interface DrawnLine {
  readonly badge: DrawnBadge;
  /** Time constant in steps; null without smoothing. */
  readonly smoothSteps: number | null;
  /** Steps that the picture spans. */
  readonly spanSteps: number | null;
}

/**
 * What the line of a lane is. A smoothed one is made of what is drawn: of every point where all are, else of the means of bins, and then a
 * time constant below the width of a bin does nothing, which is said.
 */
export function lineText({ badge, smoothSteps, spanSteps }: DrawnLine): string {
  if (smoothSteps === null) return "Line: mean, band: min to max.";
  const over = formatCount(smoothSteps, "step");
  if (!badge.sampled) return `Line: every point smoothed over ${over}, the points under it.`;
  const binSteps = spanSteps === null || badge.bins === 0 ? null : Math.round(spanSteps / badge.bins);
  const little =
    binSteps !== null && binSteps >= smoothSteps ? `; a bin spans ${formatInteger(binSteps)}, so it changes little: zoom in` : "";
  return `Line: means of bins smoothed over ${over}${little}. Under it the means, band: min to max.`;
}

import type { SeriesWindow } from "@trainwatch/core";

/** One attempt as it ran, what was rolled back later included; the others are left out. */
export function attemptAlone(window: SeriesWindow, attempt: string): SeriesWindow {
  const own = (lines: SeriesWindow["lines"]): SeriesWindow["lines"] =>
    lines.filter((line) => line.attempt === attempt).map((line) => ({ ...line, superseded: false }));
  return { ...window, lines: own(window.lines), spreads: own(window.spreads) };
}

import type { AtSearch } from "../pages/fleet/at-search.ts";

/** A page of one thing shows the last hours. */
const DEFAULT_MS = 3 * 3_600_000;
/** The end of an open window moves in steps, so that a chart is not asked for anew with each second. */
const STEP_MS = 30_000;

export interface ChartWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOpen: boolean;
}

/** Ends of the charts: what the link names, else the hours before the time shown or before now. */
export function chartWindow({ at, from, to }: AtSearch, nowMs: number): ChartWindow {
  if (from !== undefined && to !== undefined) return { fromMs: from, toMs: to, isOpen: false };
  const endMs = at === undefined ? Math.ceil(nowMs / STEP_MS) * STEP_MS : at + DEFAULT_MS / 6;
  const toMs = Math.min(endMs, Math.ceil(nowMs / STEP_MS) * STEP_MS);
  return { fromMs: toMs - DEFAULT_MS, toMs, isOpen: at === undefined };
}

export const CHART_SPANS = [
  { label: "1 h", ms: 3_600_000 },
  { label: "3 h", ms: DEFAULT_MS },
  { label: "24 h", ms: 24 * 3_600_000 },
  { label: "7 d", ms: 7 * 24 * 3_600_000 },
] as const;

import type { FleetSearch } from "./search.ts";

/** How far back the slider reaches while the page is live. */
export const LIVE_WINDOW_MS = 3_600_000;
/** Fleets are scraped every 10 s; finer steps would show the same twice. */
export const SLIDER_STEP_MS = 10_000;

export interface ShownWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** The slider's end moves with the clock. */
  readonly isOpen: boolean;
}

/** The slider's window: what the link names, else the last hour before now, or around the time that is shown. */
export function shownWindow({ from, to, at }: Pick<FleetSearch, "from" | "to" | "at">, nowMs: number): ShownWindow {
  if (from !== undefined && to !== undefined) return { fromMs: from, toMs: to, isOpen: false };
  const nowStep = Math.floor(nowMs / SLIDER_STEP_MS) * SLIDER_STEP_MS;
  if (at !== undefined && at < nowStep - LIVE_WINDOW_MS) {
    const middle = Math.floor(at / SLIDER_STEP_MS) * SLIDER_STEP_MS;
    return { fromMs: middle - LIVE_WINDOW_MS / 2, toMs: middle + LIVE_WINDOW_MS / 2, isOpen: false };
  }
  return { fromMs: nowStep - LIVE_WINDOW_MS, toMs: nowStep, isOpen: true };
}

/** Frames of a play: as many as the verb gives, fewer of a large fleet, so that a play of 16,384 GPUs stays a few MB. */
export function frameCount(gpus: number): number {
  return Math.min(120, Math.max(12, Math.floor(1_000_000 / Math.max(1, gpus))));
}

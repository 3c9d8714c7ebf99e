import { USUAL_METRICS } from "./lane-specs.ts";
import { MAX_LANES, without } from "./search.ts";
import { useRunSearch } from "./use-run-search.ts";

export interface LaneChoice {
  readonly chosen: readonly string[];
  /** Nothing was chosen: the usual metrics are drawn as far as the run has them. */
  readonly isUsual: boolean;
  readonly isShown: (metric: string) => boolean;
  readonly toggle: (metric: string) => void;
  readonly reset: () => void;
}

export function useLaneChoice(): LaneChoice {
  const { search, go } = useRunSearch();
  const chosen = search.metrics ?? USUAL_METRICS;
  return {
    chosen,
    isUsual: search.metrics === undefined,
    isShown: (metric) => chosen.includes(metric),
    toggle: (metric) =>
      go((before) => {
        const now: readonly string[] = before.metrics ?? USUAL_METRICS;
        const next = now.includes(metric) ? now.filter((name) => name !== metric) : [...now, metric].slice(0, MAX_LANES);
        return next.length === 0 ? without(before, "metrics") : { ...before, metrics: next };
      }),
    reset: () => go((before) => without(before, "metrics")),
  };
}

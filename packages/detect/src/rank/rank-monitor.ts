import type { Finding, RankPlacement } from "@trainwatch/core";
import type { AttemptMonitor } from "../contract.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "./contract.ts";
import { RANK_DETECTORS } from "./registry.ts";

/** All rank detectors over one attempt. */
export interface RankMonitor {
  /** Complete steps, ascending for each metric; findings that are new or have changed. */
  observe(step: RankStep): readonly Finding[];
  place(placements: readonly RankPlacement[]): void;
  finish(): readonly Finding[];
  /** JSON-safe; restoring it under the same placements and going on equals never having stopped. */
  state(): unknown;
  coverage(): ReturnType<AttemptMonitor["coverage"]>;
}

/** What {@link RankMonitor.state} gives: one state a detector, by its id. A detector that is missing starts fresh. */
interface RankMonitorState {
  readonly detectors: Readonly<Record<string, unknown>>;
}

export function createRankMonitor(context: RankContext, state?: unknown): RankMonitor {
  return rankMonitorOf(RANK_DETECTORS, context, state);
}

/** The same over chosen detectors. */
export function rankMonitorOf(entries: readonly RankDetectorEntry[], context: RankContext, state?: unknown): RankMonitor {
  const stored = isRankMonitorState(state) ? state.detectors : {};
  const running = entries.map((entry) => ({ entry, instance: entry.create(context, stored[entry.id]) }));
  const byMetric = new Map<string, RankDetectorInstance[]>();
  for (const { entry, instance } of running) {
    for (const metric of entry.metrics) byMetric.set(metric, [...(byMetric.get(metric) ?? []), instance]);
  }
  return {
    observe: (step) => (byMetric.get(step.metric) ?? []).flatMap((instance) => instance.observe(step)),
    place(placements) {
      for (const { instance } of running) instance.place(placements);
    },
    finish: () => running.flatMap(({ instance }) => instance.finish()),
    state: () =>
      ({ detectors: Object.fromEntries(running.map(({ entry, instance }) => [entry.id, instance.state()])) }) satisfies RankMonitorState,
    coverage: () => running.map(({ entry, instance }) => ({ detector: entry.id, ...instance.coverage() })),
  };
}

function isRankMonitorState(state: unknown): state is RankMonitorState {
  return (
    typeof state === "object" && state !== null && "detectors" in state && typeof state.detectors === "object" && state.detectors !== null
  );
}

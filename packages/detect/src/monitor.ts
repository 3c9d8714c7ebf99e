import type { Sample } from "@trainwatch/core";
import type { AttemptMonitor, DetectorEntry, DetectorInstance, MonitorContext } from "./contract.ts";
import { DETECTORS } from "./registry.ts";

/** What {@link AttemptMonitor.state} gives: one state a detector, by its id. A detector that is missing starts fresh. */
interface MonitorState {
  readonly detectors: Readonly<Record<string, unknown>>;
}

/**
 * All detectors over one attempt. Samples come in arrival order, per step as far as the source allows: evidence that one series gives about another can only
 * rest on what has arrived. How they are cut into batches makes no difference.
 *
 * @param state what an earlier monitor's `state()` gave; going on from it equals never having stopped.
 */
export function createMonitor(context: MonitorContext, state?: unknown): AttemptMonitor {
  return monitorOf(DETECTORS, context, state);
}

/** The same over chosen detectors. */
export function monitorOf(entries: readonly DetectorEntry[], context: MonitorContext, state?: unknown): AttemptMonitor {
  const stored = isMonitorState(state) ? state.detectors : {};
  const running = entries.map((entry) => ({ entry, instance: entry.create(context, stored[entry.id]) }));
  const byMetric = new Map<string, readonly DetectorInstance[]>();
  const readersOf = (metric: string): readonly DetectorInstance[] => {
    const known = byMetric.get(metric);
    if (known !== undefined) return known;
    const readers = running.filter(({ entry }) => entry.metrics.some((read) => isRead(read, metric))).map(({ instance }) => instance);
    byMetric.set(metric, readers);
    return readers;
  };
  const observeOne = (sample: Sample) => readersOf(sample.metric).flatMap((instance) => instance.observe(sample));
  return {
    observe: (samples) => samples.flatMap(observeOne),
    finish: () => running.flatMap(({ instance }) => instance.finish()),
    state: () =>
      ({ detectors: Object.fromEntries(running.map(({ entry, instance }) => [entry.id, instance.state()])) }) satisfies MonitorState,
    coverage: () =>
      running.flatMap(({ entry, instance }) => {
        const coverage = instance.coverage();
        return coverage === null ? [] : [{ detector: entry.id, ...coverage }];
      }),
  };
}

/** Whether what an entry reads, a metric or a family as `eval/*`, is this metric. */
function isRead(read: string, metric: string): boolean {
  return read === metric || (read.endsWith("/*") && metric.startsWith(read.slice(0, -1)));
}

function isMonitorState(state: unknown): state is MonitorState {
  return (
    typeof state === "object" && state !== null && "detectors" in state && typeof state.detectors === "object" && state.detectors !== null
  );
}

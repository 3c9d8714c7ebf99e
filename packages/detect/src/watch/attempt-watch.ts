import type { Finding } from "@trainwatch/core";
import type { AttemptMonitor, MonitorContext } from "../contract.ts";
import { createMonitor } from "../monitor.ts";
import { DETECTORS } from "../registry.ts";
import { NEW_PACE, logEveryOf, observePace, stepTimeOf, type PaceState } from "./pace.ts";
import { averageRanks, openSteps, type RankSample, type RankState } from "./rank-mean.ts";

/**
 * One attempt under watch: its ranks as one series a metric, all detectors, its pace. Deterministic in the order of its samples, however
 * they are cut into batches. What `inspect` and the detect worker drive alike.
 */
export interface AttemptWatch {
  /** Takes samples in arrival order; findings that are new or have changed. */
  observe(samples: readonly RankSample[]): readonly Finding[];
  /** What the detectors would say if the attempt ended here. The watch itself goes on: late samples are still taken. */
  conclude(): readonly Finding[];
  /** JSON-safe. */
  state(): unknown;
  coverage(): ReturnType<AttemptMonitor["coverage"]>;
  /** Median seconds an optimizer step; null where neither times nor step times are known. */
  stepTimeS(): number | null;
  /** Median optimizer steps between logged points; null before two came. */
  logEvery(): number | null;
}

interface WatchState {
  /** Versions of the detectors that made `monitor`: under others it means nothing. */
  readonly detectors: Readonly<Record<string, number>>;
  readonly monitor: unknown;
  readonly ranks: RankState;
  readonly pace: PaceState;
}

const VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(DETECTORS.map(({ id, version }) => [id, version]));

export function newWatch(context: MonitorContext): AttemptWatch {
  return watch(context, createMonitor(context), {}, NEW_PACE);
}

/** Goes on where a stored state ended; null where other versions of the detectors made it, and all must be read anew. */
export function resumeWatch(context: MonitorContext, stored: unknown): AttemptWatch | null {
  if (!isWatchState(stored)) return null;
  return watch(context, createMonitor(context, stored.monitor), stored.ranks, stored.pace);
}

function watch(context: MonitorContext, monitor: AttemptMonitor, firstRanks: RankState, firstPace: PaceState): AttemptWatch {
  let ranks = firstRanks;
  let pace = firstPace;
  return {
    observe(arrived) {
      const averaged = averageRanks(ranks, arrived);
      ranks = averaged.state;
      pace = observePace(pace, averaged.samples);
      return monitor.observe(averaged.samples);
    },
    conclude() {
      const copy = createMonitor(context, monitor.state());
      return [...copy.observe(openSteps(ranks)), ...copy.finish()];
    },
    state: () => ({ detectors: VERSIONS, monitor: monitor.state(), ranks, pace }) satisfies WatchState,
    coverage: () => monitor.coverage(),
    stepTimeS: () => stepTimeOf(pace),
    logEvery: () => logEveryOf(pace),
  };
}

/** Of this version's making: then its shape is what `state` gave. */
function isWatchState(stored: unknown): stored is WatchState {
  if (typeof stored !== "object" || stored === null || !("detectors" in stored) || !("ranks" in stored) || !("pace" in stored))
    return false;
  const { detectors } = stored;
  if (typeof detectors !== "object" || detectors === null) return false;
  const ids = Object.keys(VERSIONS);
  return ids.length === Object.keys(detectors).length && ids.every((id) => Reflect.get(detectors, id) === VERSIONS[id]);
}

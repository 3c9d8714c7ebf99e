import type { Finding } from "@trainwatch/core";
import { DETECTORS, createMonitor, type AttemptMonitor, type MonitorContext } from "@trainwatch/detect";
import type { CoverageEntry } from "@trainwatch/store";
import { z } from "zod";
import { NEW_PACE, logEveryOf, observePace, paceStateSchema, stepTimeOf, type PaceState } from "./pace.ts";
import { averageRanks, openSteps, rankStateSchema, type RankSample, type RankState } from "./rank-mean.ts";

/** One attempt under watch: ranks averaged, detectors, pace. Deterministic in the order of its samples. */
export interface AttemptWatch {
  observe(samples: readonly RankSample[]): readonly Finding[];
  /** What the detectors would say if the attempt ended here. The watch itself goes on: late samples are still taken. */
  conclude(): readonly Finding[];
  /** JSON-safe. */
  state(): unknown;
  coverage(): readonly CoverageEntry[];
  stepTimeS(): number | null;
  logEvery(): number | null;
}

const stateSchema = z.object({
  /** Versions of the detectors that made `monitor`: under others it means nothing. */
  detectors: z.record(z.string(), z.number()),
  monitor: z.unknown(),
  ranks: rankStateSchema,
  pace: paceStateSchema,
});

export const DETECTOR_VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(DETECTORS.map(({ id, version }) => [id, version]));

export function newWatch(context: MonitorContext): AttemptWatch {
  return watch(context, createMonitor(context), { ranks: {}, pace: NEW_PACE });
}

/** Goes on where a stored state ended; null where other versions of the detectors made it, and all must be read anew. */
export function resumeWatch(context: MonitorContext, stored: unknown): AttemptWatch | null {
  const state = stateSchema.safeParse(stored);
  if (!state.success || !isSameVersions(state.data.detectors)) return null;
  return watch(context, createMonitor(context, state.data.monitor), state.data);
}

interface Remembered {
  readonly ranks: RankState;
  readonly pace: PaceState;
}

function watch(context: MonitorContext, monitor: AttemptMonitor, { ranks: firstRanks, pace: firstPace }: Remembered): AttemptWatch {
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
    state: () => ({ detectors: DETECTOR_VERSIONS, monitor: monitor.state(), ranks, pace }),
    coverage: () => monitor.coverage(),
    stepTimeS: () => stepTimeOf(pace),
    logEvery: () => logEveryOf(pace),
  };
}

function isSameVersions(versions: Readonly<Record<string, number>>): boolean {
  const ids = Object.keys(DETECTOR_VERSIONS);
  return ids.length === Object.keys(versions).length && ids.every((id) => versions[id] === DETECTOR_VERSIONS[id]);
}

import type { Finding, RankPlacement } from "@trainwatch/core";
import { createClockWatch } from "../clock/clock-watch.ts";
import type { ClockFacts } from "../clock/contract.ts";
import type { AttemptMonitor, MonitorContext } from "../contract.ts";
import { createMonitor } from "../monitor.ts";
import { createRankMonitor } from "../rank/rank-monitor.ts";
import { RANK_DETECTORS } from "../rank/registry.ts";
import { DETECTORS } from "../registry.ts";
import { NEW_PACE, logEveryOf, observePace, stepTimeOf, type PaceState } from "./pace.ts";
import { createRankAssembler, NEW_ASSEMBLER, type AssemblerState, type Unused } from "./rank-assembler.ts";
import { createRankMean, type RankSample, type RankState } from "./rank-mean.ts";

/**
 * One attempt under watch: its ranks as one series a metric for the training detectors, and as rows of a matrix for the rank detectors; its pace. Deterministic
 * in the order of its samples, however they are cut into batches. What `inspect` and the detect worker drive alike.
 */
export interface AttemptWatch {
  /** Takes samples in arrival order; findings that are new or have changed, those of the run as a whole first. */
  observe(samples: readonly RankSample[]): readonly Finding[];
  /** Who is where: given at the start, after resuming and when it changes. It is not part of the state. */
  place(placements: readonly RankPlacement[]): void;
  /** What the clock tells: that something has not happened. Findings that are new or have changed. */
  clock(facts: ClockFacts): readonly Finding[];
  /** What the detectors would say if the attempt ended here. The watch itself goes on: late samples are still taken. */
  conclude(): readonly Finding[];
  /** Newest step of each rank that logs for itself, over all metrics. */
  rankSteps(): ReadonlyMap<number, number>;
  /** Values of ranks that came too late or under no rank's name. */
  unused(): Unused;
  /** JSON-safe. */
  state(): unknown;
  coverage(): ReturnType<AttemptMonitor["coverage"]>;
  /** Median seconds an optimizer step; null where neither times nor step times are known. */
  stepTimeS(): number | null;
  /** Median optimizer steps between logged points; null before two came. */
  logEvery(): number | null;
}

interface WatchState {
  /** Versions of the detectors that made the states: under others they mean nothing. */
  readonly detectors: Readonly<Record<string, number>>;
  readonly monitor: unknown;
  readonly ranks: RankState;
  readonly rankMonitor: unknown;
  readonly assembler: AssemblerState;
  readonly clock: unknown;
  readonly pace: PaceState;
}

const ENTRIES: readonly { readonly id: string; readonly version: number }[] = [...DETECTORS, ...RANK_DETECTORS];
const VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(ENTRIES.map(({ id, version }) => [id, version]));

/** Canonical metrics that rank detectors read, of series whose only label is `rank`. */
export const RANK_METRICS: readonly string[] = [...new Set(RANK_DETECTORS.flatMap((detector): readonly string[] => detector.metrics))];

const NEW: WatchState = {
  detectors: VERSIONS,
  monitor: undefined,
  ranks: {},
  rankMonitor: undefined,
  assembler: NEW_ASSEMBLER,
  clock: undefined,
  pace: NEW_PACE,
};

export function newWatch(context: MonitorContext, placements: readonly RankPlacement[] = []): AttemptWatch {
  return watch(context, placements, NEW);
}

/** Goes on where a stored state ended; null where other versions of the detectors made it, and all must be read anew. */
export function resumeWatch(context: MonitorContext, stored: unknown, placements: readonly RankPlacement[] = []): AttemptWatch | null {
  return isWatchState(stored) ? watch(context, placements, stored) : null;
}

function watch(context: MonitorContext, first: readonly RankPlacement[], from: WatchState): AttemptWatch {
  const monitor = createMonitor(context, from.monitor);
  const rankMonitor = createRankMonitor({ ...context, placements: first }, from.rankMonitor);
  const mean = createRankMean(from.ranks);
  const assembler = createRankAssembler(from.assembler);
  const clockWatch = createClockWatch(context, from.clock);
  let placements = first;
  let pace = from.pace;
  return {
    observe(arrived) {
      const averaged = mean.observe(arrived);
      pace = observePace(pace, averaged);
      const findings = [...monitor.observe(averaged)];
      for (const sample of arrived) {
        for (const step of assembler.take(sample)) for (const finding of rankMonitor.observe(step)) findings.push(finding);
      }
      return findings;
    },
    place(told) {
      placements = told;
      rankMonitor.place(told);
    },
    clock: (facts) => clockWatch.observe(facts, assembler.lastSteps()),
    conclude() {
      const copy = createMonitor(context, monitor.state());
      const rankCopy = createRankMonitor({ ...context, placements }, rankMonitor.state());
      return [
        ...copy.observe(mean.open()),
        ...copy.finish(),
        ...assembler.open().flatMap((step) => rankCopy.observe(step)),
        ...rankCopy.finish(),
      ];
    },
    rankSteps: () => assembler.lastSteps(),
    unused: () => assembler.unused(),
    state: () =>
      ({
        detectors: VERSIONS,
        monitor: monitor.state(),
        ranks: mean.state(),
        rankMonitor: rankMonitor.state(),
        assembler: assembler.state(),
        clock: clockWatch.state(),
        pace,
      }) satisfies WatchState,
    coverage: () => [...monitor.coverage(), ...rankMonitor.coverage()],
    stepTimeS: () => stepTimeOf(pace),
    logEvery: () => logEveryOf(pace),
  };
}

/** Of this version's making: then its shape is what `state` gave. */
function isWatchState(stored: unknown): stored is WatchState {
  if (typeof stored !== "object" || stored === null || !("detectors" in stored) || !("ranks" in stored) || !("assembler" in stored))
    return false;
  const { detectors } = stored;
  if (typeof detectors !== "object" || detectors === null) return false;
  const ids = Object.keys(VERSIONS);
  return ids.length === Object.keys(detectors).length && ids.every((id) => Reflect.get(detectors, id) === VERSIONS[id]);
}

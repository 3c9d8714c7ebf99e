import { toJsonNumber, type Finding, type JsonNumber, type Sample } from "@trainwatch/core";
import { DETECTORS, createMonitor, type AttemptMonitor, type MonitorContext } from "@trainwatch/detect";
import type { CoverageEntry } from "@trainwatch/store";
import { z } from "zod";
import { chooseLeads, type Leads } from "./lead-series.ts";
import { NEW_PACE, logEveryOf, observePace, stepTimeOf, type PaceState } from "./pace.ts";

/** A sample with the series it came from: several ranks may log one metric. */
export interface SeriesSample extends Sample {
  readonly seriesId: number;
}

/** One attempt under watch: detectors, pace, and which series speaks for each metric. Deterministic in its samples. */
export interface AttemptWatch {
  observe(samples: readonly SeriesSample[]): readonly Finding[];
  /** What the detectors would say if the attempt ended here. The watch itself goes on: late samples are still taken. */
  conclude(): readonly Finding[];
  /** JSON-safe. */
  state(): unknown;
  coverage(): readonly CoverageEntry[];
  readonly lastLoss: JsonNumber;
  readonly stepTimeS: number | null;
  readonly logEvery: number | null;
}

const numbers = z.array(z.number());
const stateSchema = z.object({
  /** Versions of the detectors that made `monitor`: under others it means nothing. */
  detectors: z.record(z.string(), z.number()),
  monitor: z.unknown(),
  leads: z.record(z.string(), z.number()),
  pace: z.object({
    metric: z.string().nullable(),
    lastStep: z.number().nullable(),
    lastTimeMs: z.number().nullable(),
    secondsPerStep: numbers,
    stepsPerPoint: numbers,
    toldStepTimeS: numbers,
  }),
  lastLoss: z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"]), z.null()]),
});

export const DETECTOR_VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(DETECTORS.map(({ id, version }) => [id, version]));

export function newWatch(context: MonitorContext): AttemptWatch {
  return watch(context, createMonitor(context), {}, NEW_PACE, null);
}

/** Goes on where a stored state ended; null where other versions of the detectors made it, and all must be read anew. */
export function resumeWatch(context: MonitorContext, stored: unknown): AttemptWatch | null {
  const state = stateSchema.safeParse(stored);
  if (!state.success || !isSameVersions(state.data.detectors)) return null;
  const { monitor, leads, pace, lastLoss } = state.data;
  return watch(context, createMonitor(context, monitor), leads, pace, lastLoss);
}

function watch(context: MonitorContext, monitor: AttemptMonitor, firstLeads: Leads, firstPace: PaceState, firstLoss: JsonNumber): AttemptWatch {
  let leads = firstLeads;
  let pace = firstPace;
  let lastLoss = firstLoss;
  return {
    observe(samples) {
      leads = chooseLeads(leads, samples);
      // Of several ranks one speaks for a metric, but a value that is no number counts whoever reports it.
      const heard = samples.filter((sample) => leads[sample.metric] === sample.seriesId || !Number.isFinite(sample.value));
      pace = observePace(pace, heard);
      const loss = heard.findLast((sample) => sample.metric === "loss");
      if (loss !== undefined) lastLoss = toJsonNumber(loss.value);
      return monitor.observe(heard);
    },
    conclude: () => createMonitor(context, monitor.state()).finish(),
    state: () => ({ detectors: DETECTOR_VERSIONS, monitor: monitor.state(), leads, pace, lastLoss }),
    coverage: () => monitor.coverage(),
    get lastLoss() {
      return lastLoss;
    },
    get stepTimeS() {
      return stepTimeOf(pace);
    },
    get logEvery() {
      return logEveryOf(pace);
    },
  };
}

function isSameVersions(versions: Readonly<Record<string, number>>): boolean {
  const ids = Object.keys(DETECTOR_VERSIONS);
  return ids.length === Object.keys(versions).length && ids.every((id) => versions[id] === DETECTOR_VERSIONS[id]);
}

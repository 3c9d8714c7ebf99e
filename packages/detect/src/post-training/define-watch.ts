import { metricWords, sayInteger } from "@trainwatch/core";
import type { Evidence, Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";
import { follow, newTrack } from "./episode.ts";
import type { Episode, Persistence, Reading, Track } from "./episode.ts";

/** What is logged in reinforcement learning and in nothing else: without one of them a run is none, and silence about it is no fault. */
export const POST_TRAINING_MARKS: readonly string[] = ["reward", "kl"];

/** A detector of post-training: a statistic of what is logged, with words; the rest is alike for all. */
export interface WatchSpec<P extends readonly DetectorParameter[], S extends object> {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly finds: string;
  readonly source: string;
  /** Read by the statistic; {@link POST_TRAINING_MARKS} are added. */
  readonly metrics: readonly string[];
  readonly parameters: P;
  fresh(): S;
  /** The statistic after one more sample, in ascending steps of its metric; null where it says nothing. `signal` is plain JSON and is changed in place. */
  read(rules: ParameterValues<P>, signal: S, sample: Sample): Reading | null;
  persistence(rules: ParameterValues<P>, track: string): Persistence;
  /** What is missing before it can see, in words; null: it sees. */
  blind(rules: ParameterValues<P>, signal: S): string | null;
  /** One sentence. */
  summary(rules: ParameterValues<P>, episode: Episode): string;
  /** What speaks against it, or is not known. */
  against(rules: ParameterValues<P>, episode: Episode): readonly Evidence[];
}

interface WatchState<S> {
  isPostTraining: boolean;
  orders: Record<string, StepOrder>;
  tracks: Record<string, Track>;
  signal: S;
}

export function defineWatch<const P extends readonly DetectorParameter[], S extends object>(spec: WatchSpec<P, S>) {
  const metrics = [...new Set([...spec.metrics, ...POST_TRAINING_MARKS])];
  return {
    id: spec.id,
    version: spec.version,
    title: spec.title,
    finds: spec.finds,
    source: spec.source,
    metrics,
    parameters: spec.parameters,
    create: (context, stored) => create(spec, context, stored),
  } satisfies DetectorEntry;
}

function create<const P extends readonly DetectorParameter[], S extends object>(
  spec: WatchSpec<P, S>,
  context: MonitorContext,
  stored: unknown,
): DetectorInstance {
  const fresh = (): WatchState<S> => ({ isPostTraining: false, orders: {}, tracks: {}, signal: spec.fresh() });
  const rules = parametersOf<P>(spec, context);
  const overrides = overridesOf(spec, context);
  const state = restoreState(stored, spec.version, fresh, overrides);
  const say = (episode: Episode): Finding => findingOf(spec, context, rules, episode);
  return {
    observe(sample) {
      if (POST_TRAINING_MARKS.includes(sample.metric)) state.isPostTraining = true;
      if (!Number.isFinite(sample.value)) return [];
      const order = (state.orders[sample.metric] ??= newStepOrder());
      if (admit(order, sample.step) === "late") return [];
      const reading = spec.read(rules, state.signal, sample);
      if (reading === null) return [];
      const track = (state.tracks[reading.track] ??= newTrack());
      const told = follow(track, reading, sample.step, sample.timeMs, spec.persistence(rules, reading.track));
      return told === null ? [] : [say(told)];
    },
    finish: () => Object.values(state.tracks).flatMap(({ open }) => (open === null ? [] : [say(open)])),
    state: () => storeState(spec.version, state, overrides),
    coverage() {
      const why = spec.blind(rules, state.signal);
      if (why === null) return { sees: true, why: null };
      return state.isPostTraining ? { sees: false, why } : null;
    },
  };
}

function findingOf<P extends readonly DetectorParameter[], S extends object>(
  spec: WatchSpec<P, S>,
  context: MonitorContext,
  rules: ParameterValues<P>,
  episode: Episode,
): Finding {
  // What is no share keeps its bare number: the peak of a track may be told in another unit than its metric has.
  const words = metricWords(episode.track, [episode.peak, episode.baseline]);
  const fact = words.unit === "%" ? { value: words.scaled(episode.peak), unit: "%" } : { value: episode.peak, unit: null };
  return makeFinding(spec, context, {
    metric: episode.track,
    severity: episode.isCritical ? "critical" : "warning",
    state: episode.endStep === null ? "ongoing" : "recovered",
    onsetStep: episode.onsetStep,
    onsetLowerStep: episode.onsetLowerStep,
    onsetTimeMs: episode.onsetTimeMs,
    detectedStep: episode.detectedStep,
    detectedTimeMs: episode.detectedTimeMs,
    peakStep: episode.peakStep,
    endStep: episode.endStep,
    shape: "ramp",
    peakValue: episode.peak,
    baselineValue: episode.baseline,
    levelShift: null,
    summary: `${spec.summary(rules, episode)}${episode.endStep === null ? "" : `; over by step ${sayInteger(episode.endStep)}`}.`,
    evidence: [
      evidence("for", episode.text, fact.value, fact.unit, episode.track),
      ...(episode.fact === undefined ? [] : [evidence("neutral", episode.fact)]),
      ...spec.against(rules, episode),
    ],
  });
}

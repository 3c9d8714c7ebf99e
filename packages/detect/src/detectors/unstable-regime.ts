import { metricEntry, sayInteger, sayValue } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf } from "../parameters.ts";
import {
  DEFAULT_SPIKE_RULES,
  LEAST_JUDGED,
  REGIME_ID,
  REGIME_PARAMETERS,
  SPIKE_METRICS,
  isSpikeMetric,
  regimeRules,
} from "../spike/parameters.ts";
import type { RegimeRules, SpikeMetric } from "../spike/parameters.ts";
import { observeSpike, outlierShare } from "../spike/spike-engine.ts";
import { newSpikeState } from "../spike/spike-state.ts";
import type { SpikeRecord, SpikeState } from "../spike/spike-state.ts";

const ID = REGIME_ID;
const VERSION = 1;

interface Regime {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  points: number;
  /** A loss that goes below zero (RL) is heavy-tailed by nature: its outliers are told of and trouble nobody. */
  isLinear: boolean;
  peak: SpikeRecord;
  endStep: number | null;
  share: number;
}

interface Track {
  spike: SpikeState;
  /** The newest outliers before a regime is spoken of: its onset is the first of them. Bounded by the window. */
  recent: SpikeRecord[];
  regime: Regime | null;
}

interface RegimeState {
  tracks: Record<SpikeMetric, Track>;
}

const newTrack = (): Track => ({ spike: newSpikeState(), recent: [], regime: null });
const fresh = (): RegimeState => ({ tracks: { loss: newTrack(), grad_norm: newTrack(), update_norm: newTrack() } });

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const rules = regimeRules(context);
  const overrides = overridesOf({ id: ID, parameters: REGIME_PARAMETERS }, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) =>
      isSpikeMetric(sample.metric) && (sample.metric === "loss" || sample.value > 0)
        ? observe({ context, rules, track: state.tracks[sample.metric], metric: sample.metric }, sample)
        : [],
    finish: () =>
      SPIKE_METRICS.flatMap((metric) => {
        const track = state.tracks[metric];
        return track.regime === null ? [] : [finding({ context, rules, track, metric }, track.regime)];
      }),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(state),
  };
}

/** One metric under watch. */
interface Watched {
  readonly context: MonitorContext;
  readonly rules: RegimeRules;
  readonly track: Track;
  readonly metric: SpikeMetric;
}

function observe(watched: Watched, sample: Sample): readonly Finding[] {
  const { rules, track, metric } = watched;
  const records = observeSpike(track.spike, sample, DEFAULT_SPIKE_RULES[metric], rules.samples);
  const share = outlierShare(track.spike, rules);
  if (track.regime !== null) return follow(watched, track.regime, sample, records, share);
  track.recent = [...track.recent, ...records].slice(-Math.ceil(rules.samples / 8));
  if (records.length === 0 || share < rules.share || track.spike.marks.length < rules.fewest) return [];
  const counted = track.recent.slice(-track.spike.marks.length);
  const first = counted[0];
  if (first === undefined) return [];
  const highest = counted.reduce((best, record) => (record.z > best.z ? record : best), first);
  track.regime = {
    onsetStep: first.onsetStep,
    onsetTimeMs: first.onsetTimeMs,
    onsetLowerStep: first.onsetLowerStep,
    detectedStep: sample.step,
    detectedTimeMs: sample.timeMs,
    points: track.spike.marks.length,
    isLinear: track.spike.scale === "linear",
    peak: highest,
    endStep: null,
    share,
  };
  track.recent = [];
  return [finding(watched, track.regime)];
}

/** While the regime lasts: every further outlier changes the one finding; it ends when they have become rare. */
function follow(watched: Watched, regime: Regime, sample: Sample, records: readonly SpikeRecord[], share: number): readonly Finding[] {
  for (const record of records) {
    regime.points += record.points;
    if (record.z > regime.peak.z) regime.peak = record;
  }
  regime.share = share;
  if (share < watched.rules.endShare) {
    regime.endStep = sample.step;
    watched.track.regime = null;
    return [finding(watched, regime)];
  }
  return records.length === 0 ? [] : [finding(watched, regime)];
}

function finding({ context, rules, metric }: Watched, regime: Regime): Finding {
  const title = metricEntry(metric)?.title ?? metric;
  const end = regime.endStep === null ? "and goes on" : `and ended by step ${sayInteger(regime.endStep)}`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric,
    severity: metric === "loss" && !regime.isLinear ? "warning" : "info",
    state: regime.endStep === null ? "ongoing" : "recovered",
    onsetStep: regime.onsetStep,
    onsetLowerStep: regime.onsetLowerStep,
    onsetTimeMs: regime.onsetTimeMs,
    detectedStep: regime.detectedStep,
    detectedTimeMs: regime.detectedTimeMs,
    peakStep: regime.peak.peakStep,
    endStep: regime.endStep,
    shape: "jump",
    peakValue: regime.peak.peakValue,
    baselineValue: regime.peak.level,
    levelShift: null,
    summary: `${title} is in an unstable regime since step ${sayInteger(regime.onsetStep)}: ${sayInteger(regime.points)} outliers so far, ${end}.`,
    evidence: [
      evidence(
        "for",
        `${(100 * regime.share).toFixed(1)} % of the newest ${rules.samples} logged points are outliers; healthy runs have about 0.3 %`,
        100 * regime.share,
        "%",
        "detection.md A.3",
      ),
      evidence("for", `The highest stands at ${sayValue(regime.peak.peakValue)} beside ${sayValue(regime.peak.level)}`, regime.peak.z, "σ"),
      evidence(
        "against",
        "Each came back within a few logged points; data that repeats can do this too",
        null,
        null,
        "detection.md finding 2",
      ),
    ],
  });
}

function coverage(state: RegimeState): ReturnType<DetectorInstance["coverage"]> {
  const judged = Math.max(...SPIKE_METRICS.map((metric) => state.tracks[metric].spike.judged));
  if (judged >= LEAST_JUDGED) return { sees: true, why: null };
  const seen = SPIKE_METRICS.some((metric) => state.tracks[metric].spike.seen > 0);
  return {
    sees: false,
    why: seen ? `too short: ${judged} points judged, a share needs ${LEAST_JUDGED}` : "neither a loss nor a gradient norm is logged",
  };
}

export const unstableRegime = {
  id: ID,
  version: VERSION,
  title: "Unstable regime",
  finds: "Outliers so frequent that they are one trouble: one finding in place of a hundred notes.",
  source: "marin#1368 (130 of 2,500 steps in spikes) against 0.29 % of healthy steps, detection.md A.3",
  metrics: SPIKE_METRICS,
  parameters: REGIME_PARAMETERS,
  create,
} satisfies DetectorEntry;

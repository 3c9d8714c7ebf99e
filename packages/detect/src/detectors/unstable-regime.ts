import { metricEntry, sayInteger, sayValue } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { LOSS_SPIKE, NORM_SPIKE, REGIME } from "../spike/parameters.ts";
import { observeSpike, outlierShare } from "../spike/spike-engine.ts";
import { newSpikeState } from "../spike/spike-state.ts";
import type { SpikeRecord, SpikeState } from "../spike/spike-state.ts";

const ID = "unstable-regime";
const VERSION = 1;
const METRICS = ["loss", "grad_norm", "update_norm"] as const;
type Watched = (typeof METRICS)[number];

const PARAMETERS = { loss: LOSS_SPIKE, grad_norm: NORM_SPIKE, update_norm: NORM_SPIKE } as const;

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
  /** The newest outliers before a regime is spoken of: its onset is the first of them. Bounded by {@link REGIME}. */
  recent: SpikeRecord[];
  regime: Regime | null;
}

interface RegimeState {
  tracks: Record<Watched, Track>;
}

const newTrack = (): Track => ({ spike: newSpikeState(), recent: [], regime: null });
const fresh = (): RegimeState => ({ tracks: { loss: newTrack(), grad_norm: newTrack(), update_norm: newTrack() } });
const isWatched = (metric: string): metric is Watched => METRICS.some((name) => name === metric);

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const state = restoreState(stored, VERSION, fresh);
  return {
    observe: (sample) =>
      isWatched(sample.metric) && (sample.metric === "loss" || sample.value > 0)
        ? observe(context, state.tracks[sample.metric], sample.metric, sample)
        : [],
    finish: () =>
      METRICS.flatMap((metric) => {
        const regime = state.tracks[metric].regime;
        return regime === null ? [] : [finding(context, metric, regime)];
      }),
    state: () => storeState(VERSION, state),
    coverage: () => coverage(state),
  };
}

function observe(context: MonitorContext, track: Track, metric: Watched, sample: Sample): readonly Finding[] {
  const records = observeSpike(track.spike, sample, PARAMETERS[metric]);
  const share = outlierShare(track.spike);
  if (track.regime !== null) return follow(context, track, track.regime, metric, sample, records, share);
  track.recent = [...track.recent, ...records].slice(-REGIME.samples / 8);
  if (records.length === 0 || share < REGIME.share || track.spike.marks.length < REGIME.fewest) return [];
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
  return [finding(context, metric, track.regime)];
}

/** While the regime lasts: every further outlier changes the one finding; it ends when they have become rare. */
function follow(
  context: MonitorContext,
  track: Track,
  regime: Regime,
  metric: Watched,
  sample: Sample,
  records: readonly SpikeRecord[],
  share: number,
): readonly Finding[] {
  for (const record of records) {
    regime.points += record.points;
    if (record.z > regime.peak.z) regime.peak = record;
  }
  regime.share = share;
  if (share < REGIME.endShare) {
    regime.endStep = sample.step;
    track.regime = null;
    return [finding(context, metric, regime)];
  }
  return records.length === 0 ? [] : [finding(context, metric, regime)];
}

function finding(context: MonitorContext, metric: Watched, regime: Regime): Finding {
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
        `${(100 * regime.share).toFixed(1)} % of the newest ${REGIME.samples} logged points are outliers; healthy runs have about 0.3 %`,
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
  const judged = Math.max(...METRICS.map((metric) => state.tracks[metric].spike.judged));
  if (judged >= REGIME.leastJudged) return { sees: true, why: null };
  const seen = METRICS.some((metric) => state.tracks[metric].spike.seen > 0);
  return {
    sees: false,
    why: seen ? `too short: ${judged} points judged, a share needs ${REGIME.leastJudged}` : "neither a loss nor a gradient norm is logged",
  };
}

export const unstableRegime = {
  id: ID,
  version: VERSION,
  title: "Unstable regime",
  finds: "Outliers so frequent that they are one trouble: one finding in place of a hundred notes.",
  source: "marin#1368 (130 of 2,500 steps in spikes) against 0.29 % of healthy steps, detection.md A.3",
  metrics: [...METRICS],
  parameters: [
    { name: "share", value: 100 * REGIME.share, unit: "%", meaning: "Share of outliers from which it is a regime" },
    { name: "end_share", value: 100 * REGIME.endShare, unit: "%", meaning: "Share below which the regime has ended" },
    { name: "window", value: REGIME.samples, unit: "logged points", meaning: "Points the share is taken over" },
    { name: "fewest", value: REGIME.fewest, unit: "outliers", meaning: "Fewest outliers for a regime" },
  ],
  create,
} satisfies DetectorEntry;

import { metricEntry, sayInteger, sayQuantity, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { newNormCompanion, normMove, noteNorm } from "../companion/norm-companion.ts";
import type { NormCompanion } from "../companion/norm-companion.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { finishEarlyPoints } from "../spike/early-points.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { SPIKE_METRICS, SPIKE_PARAMETERS, isSpikeMetric, regimeRules, spikeRules } from "../spike/parameters.ts";
import type { RegimeRules, SpikeMetric, SpikeRules } from "../spike/parameters.ts";
import { finishSpike, observeSpike, outlierShare } from "../spike/spike-engine.ts";
import { newSpikeState } from "../spike/spike-state.ts";
import type { SpikeRecord, SpikeState } from "../spike/spike-state.ts";

const ID = "one-step-outlier";
const VERSION = 1;
const MOVED_RATIO = 1.5;

interface Rules {
  readonly spikes: SpikeRules;
  readonly regime: RegimeRules;
}

interface OutlierState {
  spikes: Record<SpikeMetric, SpikeState>;
  norm: NormCompanion;
}

const fresh = (): OutlierState => ({
  spikes: { loss: newSpikeState(), grad_norm: newSpikeState(), update_norm: newSpikeState() },
  norm: newNormCompanion(),
});

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: SPIKE_PARAMETERS };
  const rules: Rules = { spikes: spikeRules(parametersOf(entry, context)), regime: regimeRules(context) };
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () =>
      SPIKE_METRICS.flatMap((metric) => {
        const spike = state.spikes[metric];
        const open = finishSpike(spike);
        return [...(open === null ? [] : [open]), ...finishEarlyPoints(spike, rules.spikes[metric])].map((record) =>
          note(context, state, metric, record),
        );
      }),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(state, rules.spikes.loss.settledSamples),
  };
}

function observe(context: MonitorContext, rules: Rules, state: OutlierState, sample: Sample): readonly Finding[] {
  if (sample.metric === "grad_norm") noteNorm(state.norm, sample.step, sample.value);
  if (!isSpikeMetric(sample.metric) || (sample.metric !== "loss" && sample.value <= 0)) return [];
  const spike = state.spikes[sample.metric];
  const { metric } = sample;
  const records = observeSpike(spike, sample, rules.spikes[metric], rules.regime.samples);
  // In an unstable regime one finding speaks for all of them.
  if (outlierShare(spike, rules.regime) >= rules.regime.share) return [];
  return records.map((record) => note(context, state, metric, record));
}

function note(context: MonitorContext, state: OutlierState, metric: SpikeMetric, record: SpikeRecord): Finding {
  const entry = metricEntry(metric);
  const back =
    record.backStep === null
      ? "not back when the log ended"
      : record.points === 1
        ? "back on the next logged point"
        : `back after ${record.points} logged points`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric,
    severity: "info",
    state: record.backStep === null ? "ongoing" : "recovered",
    onsetStep: record.onsetStep,
    onsetLowerStep: record.onsetLowerStep,
    onsetTimeMs: record.onsetTimeMs,
    detectedStep: record.detectedStep,
    detectedTimeMs: record.detectedTimeMs,
    peakStep: record.peakStep,
    endStep: record.backStep,
    shape: "point",
    peakValue: record.peakValue,
    baselineValue: record.level,
    levelShift: null,
    identityStep: record.onsetStep,
    summary: `${entry?.title ?? metric} outlier at step ${sayInteger(record.peakStep)}: ${sayQuantity(sayValue(record.peakValue), entry?.unit ?? "")} beside ${sayValue(record.level)}, ${back}.`,
    evidence: outlierEvidence(state, metric, record),
    facts: record.points === 1 && record.backStep !== null ? [{ fact: "single-step", value: 1 }] : [],
  });
}

function outlierEvidence(state: OutlierState, metric: SpikeMetric, record: SpikeRecord): Evidence[] {
  const list = [evidence("for", `${record.z.toFixed(1)} robust deviations above the points beside it`, record.z, "σ")];
  if (record.backStep !== null)
    list.push(
      evidence(
        "against",
        `It came back within ${record.points} logged ${record.points === 1 ? "point" : "points"}; nothing lasting was lost`,
        record.points,
        "points",
      ),
    );
  else list.push(evidence("neutral", "The log ends before it could come back"));
  list.push(
    evidence(
      "against",
      "Most outliers of one step are the data: the same batch spikes in other runs too",
      null,
      null,
      "detection.md finding 2",
    ),
  );
  if (metric === "loss") {
    const move = normMove(state.norm, record.onsetStep, null);
    if (move !== null) {
      const moved = move.highestRatio >= MOVED_RATIO;
      const text = moved
        ? `The gradient norm rose with it, to ×${move.highestRatio.toFixed(1)} its median`
        : `The gradient norm did not move: ×${move.highestRatio.toFixed(2)} its median`;
      list.push(evidence(moved ? "for" : "against", text, move.highestRatio, null, "grad_norm"));
    }
  }
  return list;
}

function coverage(state: OutlierState, settled: number): ReturnType<DetectorInstance["coverage"]> {
  const seen = SPIKE_METRICS.map((metric) => state.spikes[metric].seen);
  const most = Math.max(...seen);
  if (most === 0) return { sees: false, why: "neither a loss nor a gradient norm is logged" };
  return most < settled / 2
    ? { sees: false, why: `too short: ${most} points, a local level needs ${settled / 2}` }
    : { sees: true, why: null };
}

export const oneStepOutlier = {
  id: ID,
  version: VERSION,
  title: "One-step outlier",
  finds: "A loss or norm that jumps on one logged point, or a few, and comes back: a note at its exact step, never a page.",
  source: "detection.md findings 1 and 2 and A.4: z > 8 on one step fires 13.7 times in 10,000 healthy steps, so it must not page",
  metrics: SPIKE_METRICS,
  parameters: SPIKE_PARAMETERS,
  create,
} satisfies DetectorEntry;

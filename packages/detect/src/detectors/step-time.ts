import { sayInteger, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { newNormCompanion, noteNorm } from "../companion/norm-companion.ts";
import type { NormCompanion } from "../companion/norm-companion.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { finishEarlyPoints } from "../spike/early-points.ts";
import { finishSpike, observeSpike } from "../spike/spike-engine.ts";
import { regimeRules, spikeRule } from "../spike/parameters.ts";
import type { SpikeParameters } from "../spike/parameters.ts";
import { newSpikeState } from "../spike/spike-state.ts";
import type { SpikeRecord, SpikeState } from "../spike/spike-state.ts";
import { judgeBeside } from "../step-time/beside-stretch.ts";
import type { BesideStretch } from "../step-time/beside-stretch.ts";
import { PACE_PARAMETERS, newPaceState, observePace, paceRules } from "../step-time/pace.ts";
import type { PaceRules, PaceState, SlowStretch } from "../step-time/pace.ts";

const ID = "step-time";
const VERSION = 2;
/** Points after which a pause is no pause but a stretch. */
const LONGEST_PAUSE = 4;
/** A throughput that fell by less than this share contradicts a slow step time (longer sequences, larger batches). */
const KEPT_SHARE = 0.95;

const PARAMETERS = [
  ...PACE_PARAMETERS,
  // One slow step is a checkpoint, an evaluation or a restart: a note from half as long again on.
  { name: "pause", value: 1.5, unit: "× median", meaning: "A single step so long is a note", least: 1 },
] as const satisfies readonly DetectorParameter[];

interface Rules {
  readonly pace: PaceRules;
  readonly pause: SpikeParameters;
  /** How many judged points the outlier engine remembers outliers of; nobody asks for their share here. */
  readonly marked: number;
}

function rulesOf(context: MonitorContext): Rules {
  const values = parametersOf({ id: ID, parameters: PARAMETERS }, context);
  const least = Math.log(values.pause);
  return {
    pace: paceRules(values),
    pause: spikeRule({ materialZ: 5, anyZ: 8, materialLog: least, leastLog: least, longest: LONGEST_PAUSE }),
    marked: regimeRules({}).samples,
  };
}

interface StepTimeState {
  pace: PaceState;
  pauses: SpikeState;
  throughput: NormCompanion;
  /** What it did beside the stretches that are followed. */
  beside: BesideStretch[];
}

const fresh = (): StepTimeState => ({
  pace: newPaceState(),
  pauses: newSpikeState(),
  throughput: newNormCompanion(),
  beside: [],
});

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const rules = rulesOf(context);
  const overrides = overridesOf({ id: ID, parameters: PARAMETERS }, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () => {
      const last = finishSpike(state.pauses);
      const pauses = [...(last === null ? [] : [last]), ...finishEarlyPoints(state.pauses, rules.pause)].map((record) =>
        pause(context, record),
      );
      return state.pace.open === null ? pauses : [...pauses, slow(context, rules.pace, state, state.pace.open)];
    },
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(state, rules.pace),
  };
}

function observe(context: MonitorContext, rules: Rules, state: StepTimeState, sample: Sample): readonly Finding[] {
  if (sample.metric === "tokens_per_second") noteNorm(state.throughput, sample.step, sample.value);
  if (sample.metric !== "step_time" || !(sample.value > 0)) return [];
  const pauses = observeSpike(state.pauses, sample, rules.pause, rules.marked).map((record) => pause(context, record));
  return [...pauses, ...observePace(state.pace, sample, rules.pace).map((stretch) => slow(context, rules.pace, state, stretch))];
}

function coverage(state: StepTimeState, rules: PaceRules): ReturnType<DetectorInstance["coverage"]> {
  if (state.pace.seen === 0) return { sees: false, why: "no step time is logged" };
  const needed = rules.leastWindow + rules.lag;
  return state.pace.judged === 0
    ? { sees: false, why: `too short: ${state.pace.seen} step times, a pace needs ${needed}` }
    : { sees: true, why: null };
}

function pause(context: MonitorContext, record: SpikeRecord): Finding {
  const ratio = record.peakValue / record.level;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "step_time",
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
    summary: `Step ${sayInteger(record.peakStep)} took ${sayValue(record.peakValue)} s, ${ratio.toFixed(1)} times the ${sayValue(record.level)} s beside it.`,
    evidence: [
      evidence("for", `${ratio.toFixed(1)} times the median of the steps before it`, ratio, "× median", "step_time"),
      evidence(
        "against",
        record.backStep === null
          ? "The log ends before it could come back"
          : `Back to pace within ${record.points} logged ${record.points === 1 ? "point" : "points"}: a checkpoint, an evaluation or a restart does this`,
        record.points,
        "points",
      ),
    ],
  });
}

function slow(context: MonitorContext, rules: PaceRules, state: StepTimeState, stretch: SlowStretch): Finding {
  const { severity, nowRatio } = judgeBeside(state.beside, state.pace, state.throughput, stretch, (ratio) =>
    ratio !== null && ratio >= KEPT_SHARE ? "info" : "warning",
  );
  const percent = Math.round(100 * (stretch.highestRatio - 1));
  const standing = {
    ongoing: "and still is",
    recovered: `until step ${sayInteger(stretch.endStep ?? stretch.lastStep)}`,
    shifted: "and has stayed so",
  }[stretch.state];
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "step_time",
    severity,
    state: stretch.state,
    onsetStep: stretch.onsetStep,
    onsetLowerStep: stretch.onsetLowerStep,
    onsetTimeMs: stretch.onsetTimeMs,
    detectedStep: stretch.detectedStep,
    detectedTimeMs: stretch.detectedTimeMs,
    peakStep: stretch.peakStep,
    endStep: stretch.endStep,
    shape: "jump",
    peakValue: stretch.peakValue,
    baselineValue: stretch.baseline,
    levelShift:
      stretch.state === "shifted"
        ? { value: (stretch.ratio - 1) * stretch.baseline, standardError: (stretch.limit - stretch.baseline) / rules.deviations }
        : null,
    summary: `Steps became slow at ${sayInteger(stretch.onsetStep)}: from ${sayValue(stretch.baseline)} s to ${sayValue(stretch.highestRatio * stretch.baseline)} s (+${percent} %), ${standing}.`,
    evidence: slowEvidence(rules, stretch, nowRatio),
  });
}

function slowEvidence(rules: PaceRules, stretch: SlowStretch, throughput: number | null): Evidence[] {
  const list = [
    evidence(
      "for",
      `${rules.inARow} logged points in a row, or the median of ${rules.lag}, lie above ${(stretch.limit / stretch.baseline).toFixed(2)} of the lagged median`,
      stretch.limit / stretch.baseline,
      "× median",
      "detection.md C.4",
    ),
    evidence(
      "for",
      `${sayValue(stretch.excess)} s beyond the pace over ${sayInteger(stretch.points)} logged points`,
      stretch.excess,
      "s",
      "step_time",
    ),
  ];
  if (throughput === null)
    list.push(
      evidence(
        "against",
        "No throughput is logged: longer sequences or larger batches would look the same",
        null,
        null,
        "tokens_per_second",
      ),
    );
  else if (throughput >= KEPT_SHARE)
    list.push(
      evidence(
        "against",
        `The throughput has kept up: ${(100 * throughput).toFixed(0)} % of its median`,
        100 * throughput,
        "%",
        "tokens_per_second",
      ),
    );
  else
    list.push(
      evidence(
        "for",
        `The throughput fell to ${(100 * throughput).toFixed(0)} % of its median`,
        100 * throughput,
        "%",
        "tokens_per_second",
      ),
    );
  if (stretch.state === "recovered")
    list.push(evidence("against", `The pace was back by step ${sayInteger(stretch.endStep ?? stretch.lastStep)}`, stretch.endStep, "step"));
  return list;
}

export const stepTime = {
  id: ID,
  version: VERSION,
  title: "Slow steps",
  finds: "Steps that have become slow, and single steps that took far longer than those beside them.",
  source: "detection.md C.4: five in a row or the median of ten above 1.10 of a lagged median of 50; 0 of 269,335 healthy steps",
  metrics: ["step_time", "tokens_per_second"],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

import { metricEntry, sayInteger, sayQuantity, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample, Severity } from "@trainwatch/core";
import { newNormCompanion, noteNorm } from "../companion/norm-companion.ts";
import type { NormCompanion } from "../companion/norm-companion.ts";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { judgeBeside } from "../step-time/beside-stretch.ts";
import type { BesideStretch } from "../step-time/beside-stretch.ts";
import { newPaceState, observePace, paceRules } from "../step-time/pace.ts";
import type { PaceRules, PaceState, SlowStretch } from "../step-time/pace.ts";
import { RATE_PARAMETERS } from "../step-time/rate-parameters.ts";

const ID = "throughput-drop";
const VERSION = 2;
const RATES = ["tokens_per_second", "mfu"] as const;
type Rate = (typeof RATES)[number];

interface ThroughputState {
  /** Pace of the reciprocal: what a token takes, up to a factor. */
  rates: Record<Rate, PaceState>;
  stepTime: NormCompanion;
  /** What it did beside the stretches that are followed. */
  beside: Record<Rate, BesideStretch[]>;
}

const fresh = (): ThroughputState => ({
  rates: { tokens_per_second: newPaceState(), mfu: newPaceState() },
  stepTime: newNormCompanion(),
  beside: { tokens_per_second: [], mfu: [] },
});

const isRate = (metric: string): metric is Rate => RATES.some((rate) => rate === metric);

interface Watching {
  readonly context: MonitorContext;
  readonly rules: PaceRules;
  readonly state: ThroughputState;
}

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: RATE_PARAMETERS };
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  const values = parametersOf(entry, context);
  const watching: Watching = { context, rules: paceRules({ ...values, ratio: 1 / (1 - values.drop / 100) }), state };
  return {
    observe: (sample) => observe(watching, sample),
    finish: () =>
      RATES.flatMap((rate) => {
        const { open } = state.rates[rate];
        return open === null ? [] : [finding(watching, rate, open)];
      }),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(watching),
  };
}

function observe(watching: Watching, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  const { rules, state } = watching;
  if (metric === "step_time") noteNorm(state.stepTime, step, value);
  if (!isRate(metric) || !(value > 0)) return [];
  return observePace(state.rates[metric], { step, timeMs, value: 1 / value }, rules).map((stretch) => finding(watching, metric, stretch));
}

function coverage({ rules, state }: Watching): ReturnType<DetectorInstance["coverage"]> {
  const seen = Math.max(...RATES.map((rate) => state.rates[rate].seen));
  if (seen === 0) return { sees: false, why: "no throughput is logged" };
  return RATES.every((rate) => state.rates[rate].judged === 0)
    ? { sees: false, why: `too short: ${seen} points of throughput, a pace needs ${rules.leastWindow + rules.lag}` }
    : { sees: true, why: null };
}

function finding({ context, rules, state }: Watching, rate: Rate, stretch: SlowStretch): Finding {
  const { tokens_per_second: tokens } = state.rates;
  // Slow steps are the step-time detector's to tell; MFU is the tokens' rate once more.
  const isRepeat = rate === "mfu" && (tokens.open !== null || tokens.shifted.length > 0);
  const judge = (stepTime: number | null): Severity => (isRepeat || (stepTime !== null && stepTime >= rules.ratio) ? "info" : "warning");
  const beside = judgeBeside(state.beside[rate], state.rates[rate], state.stepTime, stretch, judge);
  const entry = metricEntry(rate);
  const before = 1 / stretch.baseline;
  const lowest = 1 / (stretch.highestRatio * stretch.baseline);
  const standing = {
    ongoing: "and still is",
    recovered: `until step ${sayInteger(stretch.endStep ?? stretch.lastStep)}`,
    shifted: "and has stayed so",
  }[stretch.state];
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: rate,
    severity: beside.severity,
    state: stretch.state,
    onsetStep: stretch.onsetStep,
    onsetLowerStep: stretch.onsetLowerStep,
    onsetTimeMs: stretch.onsetTimeMs,
    detectedStep: stretch.detectedStep,
    detectedTimeMs: stretch.detectedTimeMs,
    peakStep: stretch.peakStep,
    endStep: stretch.endStep,
    shape: "jump",
    peakValue: 1 / stretch.peakValue,
    baselineValue: before,
    levelShift: null,
    summary: `${entry?.title ?? rate} fell at step ${sayInteger(stretch.onsetStep)}: from ${sayValue(before)} to ${sayQuantity(sayValue(lowest), entry?.unit ?? "")} (−${Math.round(100 * (1 - lowest / before))} %), ${standing}.`,
    evidence: dropEvidence(rules, rate, stretch, beside.nowRatio),
  });
}

function dropEvidence(rules: PaceRules, rate: Rate, stretch: SlowStretch, stepTime: number | null): Evidence[] {
  const share = (100 * stretch.baseline) / stretch.limit;
  const list = [
    evidence(
      "for",
      `${rules.inARow} logged points in a row, or the median of ${rules.lag}, lie below ${share.toFixed(0)} % of the lagged median`,
      share,
      "% of median",
      "detection.md C.4",
    ),
  ];
  if (stepTime === null)
    list.push(
      evidence("against", "No step time is logged: smaller batches or shorter sequences would look the same", null, null, "step_time"),
    );
  else if (stepTime >= rules.ratio)
    list.push(evidence("for", `Steps take ${(100 * (stepTime - 1)).toFixed(0)} % longer than before`, stepTime, "× median", "step_time"));
  else
    list.push(
      evidence(
        "against",
        `Steps take no longer than before (×${stepTime.toFixed(2)}): less work a step would look the same`,
        stepTime,
        "× median",
        "step_time",
      ),
    );
  if (stretch.state === "recovered")
    list.push(evidence("against", `It was back by step ${sayInteger(stretch.endStep ?? stretch.lastStep)}`, stretch.endStep, "step", rate));
  return list;
}

export const throughputDrop = {
  id: ID,
  version: VERSION,
  title: "Throughput drop",
  finds: "A throughput or MFU that has fallen and stays down, told as a note where slow steps say so already.",
  source:
    "The slow-step rule of detection.md C.4 on the time a token takes; EROICA calls a job slow from 5 % on, C.4's healthy runs from 10 %",
  metrics: [...RATES, "step_time"],
  parameters: RATE_PARAMETERS,
  create,
} satisfies DetectorEntry;

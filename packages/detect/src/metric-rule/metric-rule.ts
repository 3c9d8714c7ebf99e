import { metricEntry, metricWords, sayInteger } from "@trainwatch/core";
import type { Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

/** A threshold that a person has set on a metric (core's `MetricRule`, with an id of its own). */
export interface MetricRuleSpec {
  /** Lower-case words and hyphens or digits, unique among detectors: core's `metricRuleDetector`. */
  readonly id: string;
  readonly title: string;
  readonly metric: string;
  readonly condition: "above" | "below";
  /** In the metric's unit. */
  readonly value: number;
  /** Logged points in a row beyond `value` before it speaks. */
  readonly forPoints: number;
  /** Back on this side it is over; null: on the other side of `value`. */
  readonly recoverValue: number | null;
  readonly severity: Severity;
  /**
   * What NaN is to the rule: `ignored` neither breaks nor makes a row of points, `breach` counts as beyond the threshold. Infinities compare as numbers do.
   */
  readonly nan?: "ignored" | "breach";
}

const VERSION = 1;

interface Breach {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  peakStep: number;
  /** Farthest value, as JSON can carry it: null is NaN. */
  peak: number | null;
  points: number;
  endStep: number | null;
}

interface RuleState {
  order: StepOrder;
  seen: number;
  lastSound: { step: number } | null;
  /** Points beyond the threshold in a row, not yet enough to speak. */
  run: Breach | null;
  open: Breach | null;
}

const fresh = (): RuleState => ({ order: newStepOrder(), seen: 0, lastSound: null, run: null, open: null });

/** A detector from a rule: speaks once the metric has been beyond the threshold for so many points, and ends once it is back beyond the recover value. Pure as all others. */
export function createMetricRule(spec: MetricRuleSpec): DetectorEntry {
  const parameters = [
    {
      name: "value",
      value: spec.value,
      unit: metricEntry(spec.metric)?.unit ?? "",
      meaning: `The metric counts ${spec.condition} this`,
      least: -Number.MAX_VALUE,
    },
    { name: "for_points", value: spec.forPoints, unit: "logged points", meaning: "So many in a row before it speaks", least: 1 },
    {
      name: "recover_value",
      value: spec.recoverValue ?? spec.value,
      unit: metricEntry(spec.metric)?.unit ?? "",
      meaning: "Back on this side it is over",
      least: -Number.MAX_VALUE,
    },
  ] as const;
  const create = (context: MonitorContext, stored?: unknown): DetectorInstance => {
    const entry = { id: spec.id, parameters };
    const values = parametersOf(entry, context);
    const rule = { ...spec, value: values.value, forPoints: values.for_points, recoverValue: values.recover_value };
    const overrides = overridesOf(entry, context);
    const state = restoreState(stored, VERSION, fresh, overrides);
    return {
      observe: (sample) => observe(context, rule, state, sample),
      finish: () => (state.open === null ? [] : [finding(context, rule, state.open)]),
      state: () => storeState(VERSION, state, overrides),
      coverage: () => (state.seen > 0 ? { sees: true, why: null } : { sees: false, why: `no ${spec.metric} is logged` }),
    };
  };
  return {
    id: spec.id,
    version: VERSION,
    title: spec.title,
    finds: `${spec.metric} ${spec.condition} ${metricWords(spec.metric, [spec.value]).value(spec.value)} for ${sayInteger(spec.forPoints)} logged ${spec.forPoints === 1 ? "point" : "points"}.`,
    source: "A threshold set by a person",
    metrics: [spec.metric],
    parameters,
    create,
  };
}

type Rule = MetricRuleSpec & { readonly recoverValue: number };

function observe(context: MonitorContext, rule: Rule, state: RuleState, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  if (metric !== rule.metric || admit(state.order, step) === "late") return [];
  state.seen++;
  if (Number.isNaN(value) && rule.nan !== "breach") return [];
  if (state.open !== null) return follow(context, rule, state, state.open, step, value);
  if (!isBeyond(rule, value, rule.value)) {
    state.run = null;
    state.lastSound = { step };
    return [];
  }
  state.run ??= begin(step, timeMs, value, state.lastSound?.step ?? null);
  add(rule, state.run, step, value);
  if (state.run.points < rule.forPoints) return [];
  state.open = { ...state.run, detectedStep: step, detectedTimeMs: timeMs };
  state.run = null;
  return [finding(context, rule, state.open)];
}

function follow(context: MonitorContext, rule: Rule, state: RuleState, open: Breach, step: number, value: number): readonly Finding[] {
  if (isBeyond(rule, value, rule.recoverValue)) {
    const before = open.peakStep;
    add(rule, open, step, value);
    const isDoubled = (open.points & (open.points - 1)) === 0;
    return isDoubled && before !== open.peakStep ? [finding(context, rule, open)] : [];
  }
  open.endStep = step;
  state.open = null;
  state.lastSound = { step };
  return [finding(context, rule, open)];
}

function isBeyond({ condition, nan }: Rule, value: number, threshold: number): boolean {
  if (Number.isNaN(value)) return nan === "breach";
  return condition === "above" ? value > threshold : value < threshold;
}

function begin(step: number, timeMs: number | null, value: number, lastSound: number | null): Breach {
  return {
    onsetStep: step,
    onsetTimeMs: timeMs,
    onsetLowerStep: earliestStep(lastSound, step),
    detectedStep: step,
    detectedTimeMs: timeMs,
    peakStep: step,
    peak: jsonOf(value),
    points: 0,
    endStep: null,
  };
}

function add({ condition }: Rule, breach: Breach, step: number, value: number): void {
  breach.points++;
  const farther = breach.peak !== null && !Number.isNaN(value) && (condition === "above" ? value > breach.peak : value < breach.peak);
  if (farther || (breach.peak === null && !Number.isNaN(value))) Object.assign(breach, { peak: jsonOf(value), peakStep: step });
}

/** Infinities become the largest finite numbers, which JSON keeps and which compare alike. */
function jsonOf(value: number): number | null {
  if (Number.isNaN(value)) return null;
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

function numberOf(peak: number | null): number {
  if (peak === null) return Number.NaN;
  return Math.abs(peak) === Number.MAX_VALUE ? Math.sign(peak) * Number.POSITIVE_INFINITY : peak;
}

function finding(context: MonitorContext, rule: Rule, breach: Breach): Finding {
  const end = breach.endStep === null ? "and still is" : `until step ${sayInteger(breach.endStep)}`;
  const peak = numberOf(breach.peak);
  const words = metricWords(rule.metric, [peak, rule.value].filter(Number.isFinite));
  const limit = words.value(rule.value);
  return makeFinding({ id: rule.id, version: VERSION }, context, {
    metric: rule.metric,
    severity: rule.severity,
    state: breach.endStep === null ? "ongoing" : "recovered",
    onsetStep: breach.onsetStep,
    onsetLowerStep: breach.onsetLowerStep,
    onsetTimeMs: breach.onsetTimeMs,
    detectedStep: breach.detectedStep,
    detectedTimeMs: breach.detectedTimeMs,
    peakStep: breach.peakStep,
    endStep: breach.endStep,
    shape: "jump",
    peakValue: peak,
    baselineValue: rule.value,
    levelShift: null,
    summary: `${rule.title}: ${metricEntry(rule.metric)?.title ?? rule.metric} went ${rule.condition} ${limit} at step ${sayInteger(breach.onsetStep)}, to ${words.value(peak)}, ${end}.`,
    evidence: [
      evidence(
        "for",
        `${sayInteger(breach.points)} logged ${breach.points === 1 ? "point" : "points"} ${rule.condition} ${limit}; the rule asks for ${sayInteger(rule.forPoints)}`,
        breach.points,
        "points",
        rule.metric,
      ),
      breach.endStep === null
        ? evidence("against", "A threshold knows no noise, schedule or cause; it says only what a person asked it to")
        : evidence("against", `It was back by step ${sayInteger(breach.endStep)}`, breach.endStep, "step", rule.metric),
    ],
  });
}

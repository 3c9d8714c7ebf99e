import { sayInteger, sayValue } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

const ID = "attention-logit";
const VERSION = 1;
const METRIC = "attention_logit_max";

const PARAMETERS = [
  { name: "note", value: 100, unit: "", meaning: "A largest logit above this is a note" },
  { name: "warn", value: 1_000, unit: "", meaning: "And above this a warning" },
  { name: "points", value: 3, unit: "logged points", meaning: "So many in a row before it speaks" },
  { name: "back", value: 0.9, unit: "of the note's level", meaning: "Below this it may be over", most: 1 },
  { name: "calm", value: 50, unit: "logged points", meaning: "And after so many in a row there it is" },
] as const satisfies readonly DetectorParameter[];
type Rules = ParameterValues<typeof PARAMETERS>;

interface High {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  peakStep: number;
  peak: number;
  /** Points above the note's level, and of those in a row above the warning's. */
  points: number;
  warnRun: number;
  isWarning: boolean;
  calm: number;
  lastHighStep: number;
  endStep: number | null;
}

interface LogitState {
  order: StepOrder;
  seen: number;
  lastCalmStep: number | null;
  lastCalm: number | null;
  /** Not yet told of while it is shorter than the rule asks. */
  high: High | null;
  isTold: boolean;
}

const fresh = (): LogitState => ({ order: newStepOrder(), seen: 0, lastCalmStep: null, lastCalm: null, high: null, isTold: false });

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const rules = parametersOf(entry, context);
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () => (state.high === null || !state.isTold ? [] : [finding(context, rules, state, state.high)]),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => (state.seen > 0 ? { sees: true, why: null } : { sees: false, why: "no largest attention logit is logged" }),
  };
}

function observe(context: MonitorContext, rules: Rules, state: LogitState, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  // What is not finite is the non-finite detector's matter as soon as the loss is.
  if (metric !== METRIC || !Number.isFinite(value) || admit(state.order, step) === "late") return [];
  state.seen++;
  if (value <= rules.note) return calm(context, rules, state, step, value);
  state.high ??= begin(step, timeMs, value, state.lastCalmStep);
  const { high } = state;
  const wasWarning = high.isWarning;
  high.points++;
  high.calm = 0;
  high.lastHighStep = step;
  high.warnRun = value > rules.warn ? high.warnRun + 1 : 0;
  high.isWarning ||= high.warnRun >= rules.points;
  if (value > high.peak) Object.assign(high, { peak: value, peakStep: step });
  if (high.points < rules.points) return [];
  const isNew = !state.isTold;
  if (isNew) Object.assign(high, { detectedStep: step, detectedTimeMs: timeMs });
  state.isTold = true;
  const isWorthTelling = isNew || high.isWarning !== wasWarning || (high.points & (high.points - 1)) === 0;
  return isWorthTelling ? [finding(context, rules, state, high)] : [];
}

/** A point at or below the note's level. */
function calm(context: MonitorContext, rules: Rules, state: LogitState, step: number, value: number): readonly Finding[] {
  const { high } = state;
  if (high === null || !state.isTold) {
    Object.assign(state, { lastCalmStep: step, lastCalm: value, high: null });
    return [];
  }
  high.warnRun = 0;
  high.calm = value <= rules.back * rules.note ? high.calm + 1 : 0;
  if (high.calm < rules.calm) return [];
  high.endStep = high.lastHighStep;
  const last = finding(context, rules, state, high);
  Object.assign(state, { high: null, isTold: false, lastCalmStep: step, lastCalm: value });
  return [last];
}

function begin(step: number, timeMs: number | null, value: number, lastCalmStep: number | null): High {
  return {
    onsetStep: step,
    onsetTimeMs: timeMs,
    onsetLowerStep: earliestStep(lastCalmStep, step),
    detectedStep: step,
    detectedTimeMs: timeMs,
    peakStep: step,
    peak: value,
    points: 0,
    warnRun: 0,
    isWarning: false,
    calm: 0,
    lastHighStep: step,
    endStep: null,
  };
}

function finding(context: MonitorContext, rules: Rules, state: LogitState, high: High): Finding {
  const end = high.endStep === null ? "and still is" : `until step ${sayInteger(high.endStep)}`;
  const level = high.isWarning ? rules.warn : rules.note;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: METRIC,
    severity: high.isWarning ? "warning" : "info",
    state: high.endStep === null ? "ongoing" : "recovered",
    onsetStep: high.onsetStep,
    onsetLowerStep: high.onsetLowerStep,
    onsetTimeMs: high.onsetTimeMs,
    detectedStep: high.detectedStep,
    detectedTimeMs: high.detectedTimeMs,
    peakStep: high.peakStep,
    endStep: high.endStep,
    shape: "ramp",
    peakValue: high.peak,
    baselineValue: state.lastCalm,
    levelShift: null,
    summary: `The largest attention logit is above ${sayValue(level)} since step ${sayInteger(high.onsetStep)}, at most ${sayValue(high.peak)}, ${end}.`,
    evidence: [
      evidence(
        "for",
        `${sayInteger(high.points)} logged points above ${sayValue(rules.note)}, the highest ${sayValue(high.peak)}`,
        high.peak,
        null,
        METRIC,
      ),
      high.isWarning
        ? evidence("for", "Logits above 1,000 came before divergence in Kimi K2's runs", rules.warn, null, "detection.md A.1")
        : evidence(
            "against",
            "Below 1,000 no divergence is known to have followed; Kimi K2 clips at 100",
            rules.warn,
            null,
            "detection.md A.1",
          ),
      evidence("against", "Without a move of the loss or the gradient norm nothing has been lost yet"),
    ],
    facts: [{ fact: "attention-logit-high", value: high.peak }],
  });
}

export const attentionLogit = {
  id: ID,
  version: VERSION,
  title: "Attention logits high",
  finds: "A largest attention logit that grows out of bounds, before the loss shows anything.",
  source: "Kimi K2 (detection.md A.1): above 1,000 came before divergence; QK-clip holds it at 100",
  metrics: [METRIC],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

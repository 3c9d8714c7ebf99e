import { sayInteger, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample } from "@trainwatch/core";
import { windowMedian } from "@trainwatch/stats";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { withoutPeriodic } from "../step-time/periodic.ts";
import { newSlowMarks, noteLoad, noteStepTime } from "../step-time/slow-marks.ts";
import type { MarkRules, SlowMarks } from "../step-time/slow-marks.ts";

const ID = "jitter";
const VERSION = 1;

const PARAMETERS = [
  { name: "ratio", value: 1.1, unit: "× median", meaning: "Above this a step is slow", least: 1.01 },
  { name: "share", value: 5, unit: "%", meaning: "Share of slow steps from which it is jitter", most: 100 },
  { name: "end_share", value: 2, unit: "%", meaning: "Share below which it has ended", most: 100 },
  { name: "window", value: 500, unit: "logged points", meaning: "Points the share is taken over", least: 100, most: 8_192 },
  {
    name: "in_a_row",
    value: 5,
    unit: "logged points",
    meaning: "So many slow steps in a row are a stretch, which another detector tells of",
    least: 2,
  },
] as const satisfies readonly DetectorParameter[];

const REVIEW = 16;
/** Share of the window that must have been judged before one speaks of calm. */
const CALM_AFTER = 0.5;

interface Rules extends MarkRules {
  /** 0 to 1. */
  readonly share: number;
  readonly endShare: number;
}

interface Jitter {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  peakStep: number;
  peak: number;
  usual: number;
  share: number;
  highestShare: number;
  /** The run was calm before: it has become jittery, and is not so by nature. */
  wasCalm: boolean;
  lastStep: number;
  endStep: number | null;
}

interface JitterState {
  slow: SlowMarks;
  wasCalm: boolean;
  knowsLoad: boolean;
  open: Jitter | null;
}

const fresh = (): JitterState => ({ slow: newSlowMarks(), wasCalm: false, knowsLoad: false, open: null });

interface Watching {
  readonly context: MonitorContext;
  readonly rules: Rules;
  readonly state: JitterState;
}

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  const values = parametersOf(entry, context);
  const rules: Rules = {
    ratio: values.ratio,
    inARow: values.in_a_row,
    samples: values.window,
    share: values.share / 100,
    endShare: values.end_share / 100,
  };
  const watching: Watching = { context, rules, state };
  return {
    observe: (sample) => observe(watching, sample),
    finish: () => (state.open === null ? [] : [finding(watching, state.open)]),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(rules, state.slow),
  };
}

function coverage(rules: Rules, { judged, order }: SlowMarks): ReturnType<DetectorInstance["coverage"]> {
  if (order.last === null) return { sees: false, why: "no step time is logged" };
  const needed = CALM_AFTER * rules.samples;
  return judged >= needed
    ? { sees: true, why: null }
    : { sees: false, why: `too short: ${judged} step times judged, a share needs ${needed}` };
}

function observe(watching: Watching, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  const { rules, state } = watching;
  if (!Number.isFinite(value) || value <= 0) return [];
  if (metric === "sequence_load") {
    state.knowsLoad = true;
    noteLoad(state.slow, step, value);
    return [];
  }
  const before = state.slow.marks.length;
  if (metric !== "step_time" || !noteStepTime(state.slow, step, timeMs, value, rules)) return [];
  const { marks, judged } = state.slow;
  const limit = rules.share * rules.samples;
  const isCandidate = marks.length >= limit && marks.length >= before;
  if (state.open === null && !isCandidate) {
    state.wasCalm ||= judged >= CALM_AFTER * rules.samples && marks.length <= limit / 2;
    return [];
  }
  // While it lasts, the share is taken anew where it may have risen, and now and then where it can only fall.
  if (state.open !== null && state.slow.run === 0 && judged % REVIEW !== 0) return [];
  const odd = withoutPeriodic(marks.map((mark) => mark.step));
  return state.open === null ? open(watching, step, timeMs, odd) : follow(watching, state.open, step, odd);
}

function open(watching: Watching, step: number, timeMs: number | null, odd: readonly number[]): readonly Finding[] {
  const { rules, state } = watching;
  if (odd.length < rules.share * rules.samples) return [];
  const { marks, judged, base } = state.slow;
  const isOdd = new Set(odd);
  const kept = marks.filter((mark) => isOdd.has(mark.step));
  const first = kept[0];
  if (first === undefined) return [];
  const usual = windowMedian(base);
  const peak = kept.reduce((best, mark) => (mark.ratio > best.ratio ? mark : best), first);
  const share = odd.length / Math.min(rules.samples, judged);
  state.open = {
    onsetStep: first.step,
    onsetTimeMs: first.timeMs,
    onsetLowerStep: earliestStep(null, first.step),
    detectedStep: step,
    detectedTimeMs: timeMs,
    peakStep: peak.step,
    peak: peak.ratio * usual,
    usual,
    share,
    highestShare: share,
    wasCalm: state.wasCalm,
    lastStep: step,
    endStep: null,
  };
  return [finding(watching, state.open)];
}

function follow(watching: Watching, jitter: Jitter, step: number, odd: readonly number[]): readonly Finding[] {
  const { rules, state } = watching;
  const before = jitter.highestShare;
  jitter.share = odd.length / Math.min(rules.samples, state.slow.judged);
  jitter.highestShare = Math.max(before, jitter.share);
  jitter.lastStep = step;
  if (jitter.share < rules.endShare) {
    jitter.endStep = odd.at(-1) ?? step;
    state.open = null;
    state.wasCalm = true;
    return [finding(watching, jitter)];
  }
  // Told again as the share grows by another tenth of the window.
  return Math.floor(10 * jitter.highestShare) > Math.floor(10 * before) ? [finding(watching, jitter)] : [];
}

function finding({ context, rules, state }: Watching, jitter: Jitter): Finding {
  const end = jitter.endStep === null ? "and it goes on" : `until step ${sayInteger(jitter.endStep)}`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "step_time",
    severity: jitter.wasCalm ? "warning" : "info",
    state: jitter.endStep === null ? "ongoing" : "recovered",
    onsetStep: jitter.onsetStep,
    onsetLowerStep: jitter.onsetLowerStep,
    onsetTimeMs: jitter.onsetTimeMs,
    detectedStep: jitter.detectedStep,
    detectedTimeMs: jitter.detectedTimeMs,
    peakStep: jitter.peakStep,
    endStep: jitter.endStep,
    shape: "jump",
    peakValue: jitter.peak,
    baselineValue: jitter.usual,
    levelShift: null,
    summary: `Step times jitter since step ${sayInteger(jitter.onsetStep)}: up to ${(100 * jitter.highestShare).toFixed(1)} % of steps take more than ${rules.ratio.toFixed(2)} times the usual ${sayValue(jitter.usual)} s, ${end}.`,
    evidence: jitterEvidence(rules, jitter, state.knowsLoad),
  });
}

function jitterEvidence(rules: Rules, jitter: Jitter, knowsLoad: boolean): Evidence[] {
  const list = [
    evidence(
      "for",
      `${(100 * jitter.share).toFixed(1)} % of the newest ${sayInteger(rules.samples)} logged steps are slow for no known cause; healthy runs have 0.76 %`,
      100 * jitter.share,
      "%",
      "detection.md C.4",
    ),
  ];
  if (jitter.wasCalm) list.push(evidence("for", "The run was calm before"));
  else list.push(evidence("against", "It has been so from the first: the work itself may vary"));
  list.push(
    knowsLoad
      ? evidence("neutral", "Steps with long sequences are left out of the count", null, null, "sequence_load")
      : evidence("against", "No sequence load is logged: batches that differ in length would look the same", null, null, "sequence_load"),
  );
  if (jitter.endStep !== null) list.push(evidence("against", `It was over by step ${sayInteger(jitter.endStep)}`, jitter.endStep, "step"));
  else if (knowsLoad && jitter.wasCalm) list.push(evidence("against", "Saves that come at no fixed spacing would look the same"));
  return list;
}

export const jitter = {
  id: ID,
  version: VERSION,
  title: "Jitter",
  finds:
    "Steps of which too many are slow, here and there: what a shaky link or a busy node does. Checkpoints and heavy batches are left out.",
  source: "detection.md C.4: more than 5 % of the last 500 steps above 1.1 of the median; 0.76 % in 11,173 healthy MLPerf steps",
  metrics: ["step_time", "sequence_load"],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

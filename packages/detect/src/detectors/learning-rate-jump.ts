import { sayInteger, sayRatio, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

const ID = "learning-rate-jump";
const VERSION = 1;
const METRIC = "learning_rate";

const PARAMETERS = [
  { name: "off", value: 20, unit: "%", meaning: "A value so far off where the schedule was heading is a jump", least: 1 },
  {
    name: "restart_share",
    value: 50,
    unit: "%",
    meaning: "A warm-up that begins below this share of what its own slope says for the step has begun anew",
    most: 100,
  },
  { name: "fold", value: 64, unit: "logged points", meaning: "Jumps closer together are one finding" },
] as const satisfies readonly DetectorParameter[];
type Rules = ParameterValues<typeof PARAMETERS>;

/** A schedule is carried on over gaps up to so many times the last one; beyond, nobody knows where it was heading. */
const LONGEST_GAP = 4;
/** Points kept of it, and how many times its own largest move a jump must at least be: early in a warm-up, and on a coarse printed grid, every move is large. */
const TRAIL = 6;
const OWN_MOVES = 2;
/** Points of an attempt from which its first slope is read, and how many logging intervals from zero it must begin to be a resume. */
const OPENING_POINTS = 4;
const RESUMED_INTERVALS = 8;

interface Point {
  readonly step: number;
  readonly value: number;
}

interface Jump {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  expected: number;
  value: number;
  count: number;
  severity: Severity;
  kind: "jump" | "warm-up anew";
  pointsSince: number;
}

interface RateState {
  order: StepOrder;
  seen: number;
  opening: Point[];
  /** The newest points of a smooth stretch. */
  trail: Point[];
  highest: number;
  /** Smallest move between two points that differ: no finer than the printed grid. */
  leastMove: number | null;
  jump: Jump | null;
}

const fresh = (): RateState => ({ order: newStepOrder(), seen: 0, opening: [], trail: [], highest: 0, leastMove: null, jump: null });

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const rules = parametersOf(entry, context);
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () => [],
    state: () => storeState(VERSION, state, overrides),
    coverage: () =>
      state.seen > 2
        ? { sees: true, why: null }
        : { sees: false, why: state.seen === 0 ? "no learning rate is logged" : "too short: a schedule shows from the third point on" },
  };
}

function observe(context: MonitorContext, rules: Rules, state: RateState, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  if (metric !== METRIC || !Number.isFinite(value) || value < 0) return [];
  const admission = admit(state.order, step);
  if (admission === "late") return [];
  if (admission === "restart") Object.assign(state, { opening: [], trail: [] });
  state.seen++;
  if (state.jump !== null && ++state.jump.pointsSince > rules.fold) state.jump = null;
  const before = state.trail.at(-1)?.value ?? value;
  const restart = noteOpening(rules, state, { step, value }, timeMs);
  const off = restart ?? jumpOf(rules, state, { step, value }, timeMs);
  state.trail = off === null ? [...state.trail.slice(1 - TRAIL), { step, value }] : [{ step, value }];
  state.highest = Math.max(state.highest, value);
  noteMove(state, value, before);
  if (off === null) return [];
  return [finding(context, rules, foldJump(state, off))];
}

/** Where the schedule was heading, and how far off this is; null where it goes on as it was, or nobody knows. */
function jumpOf(rules: Rules, state: RateState, { step, value }: Point, timeMs: number | null): Jump | null {
  const before = state.trail.at(-2);
  const last = state.trail.at(-1);
  if (before === undefined || last === undefined || last.value <= 0) return null;
  const gap = last.step - before.step;
  if (step - last.step > LONGEST_GAP * gap) return null;
  const ahead = last.value + ((last.value - before.value) * (step - last.step)) / gap;
  // Between where it was and where it was heading a schedule may bend as it likes: the end of a warm-up, the beginning of a decay.
  const low = Math.min(last.value, Math.max(0, ahead));
  const high = Math.max(last.value, ahead);
  const off = rules.off / 100;
  const slack = OWN_MOVES * Math.max(largestMove(state.trail), state.leastMove ?? 0) * Math.max(1, (step - last.step) / gap);
  if (value <= high + Math.max(off * high, slack) && value >= low - Math.max(off * low, slack)) return null;
  const expected = value > high ? high : low;
  return {
    onsetStep: step,
    onsetTimeMs: timeMs,
    onsetLowerStep: last.step + 1,
    detectedStep: step,
    detectedTimeMs: timeMs,
    expected,
    value,
    count: 1,
    // Higher than it has ever been is what breaks runs; a drop, or a cycle that begins anew, is a schedule more often than not.
    severity: value > state.highest * (1 + off) ? "warning" : "info",
    kind: "jump",
    pointsSince: 0,
  };
}

function noteMove(state: RateState, value: number, before: number): void {
  const move = Math.abs(value - before);
  if (move > 0) state.leastMove = Math.min(state.leastMove ?? move, move);
}

function largestMove(trail: readonly Point[]): number {
  return trail.reduce((most, { value }, index) => Math.max(most, Math.abs(value - (trail[index - 1]?.value ?? value))), 0);
}

/** An attempt that begins in the middle of a run and warms up from nothing: its schedule has been reset. A linear warm-up that only goes on lies on its line through zero. */
function noteOpening(rules: Rules, state: RateState, point: Point, timeMs: number | null): Jump | null {
  if (state.opening.length >= OPENING_POINTS) return null;
  state.opening.push(point);
  const [first] = state.opening;
  const last = state.opening.at(-1);
  if (state.opening.length < OPENING_POINTS || first === undefined || last === undefined) return null;
  const slope = (last.value - first.value) / (last.step - first.step);
  const isResumed = first.step > (RESUMED_INTERVALS * (last.step - first.step)) / (OPENING_POINTS - 1);
  const isRising = state.opening.every(({ value }, index) => index === 0 || value > (state.opening[index - 1]?.value ?? value));
  const isSteep = last.value >= 2 * first.value;
  if (!isResumed || !isRising || !isSteep || first.value >= (rules.restart_share / 100) * slope * first.step) return null;
  return {
    onsetStep: first.step,
    onsetTimeMs: null,
    onsetLowerStep: first.step,
    detectedStep: last.step,
    detectedTimeMs: timeMs,
    expected: slope * first.step,
    value: first.value,
    count: 1,
    severity: "warning",
    kind: "warm-up anew",
    pointsSince: 0,
  };
}

function foldJump(state: RateState, off: Jump): Jump {
  const { jump } = state;
  if (jump === null) {
    state.jump = off;
    return off;
  }
  jump.count++;
  jump.pointsSince = 0;
  if (off.severity === "warning") jump.severity = "warning";
  return jump;
}

function finding(context: MonitorContext, rules: Rules, jump: Jump): Finding {
  const ratio = jump.expected > 0 ? jump.value / jump.expected : null;
  const many = jump.count === 1 ? "" : `, and ${sayInteger(jump.count - 1)} more times since`;
  const summary =
    jump.kind === "jump"
      ? `The learning rate jumped at step ${sayInteger(jump.onsetStep)}: ${sayValue(jump.value)} where its schedule was heading for ${sayValue(jump.expected)}${many}.`
      : `The learning rate warms up anew from step ${sayInteger(jump.onsetStep)} on, from ${sayValue(jump.value)}: the schedule was not resumed but restarted.`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: METRIC,
    severity: jump.severity,
    state: "shifted",
    onsetStep: jump.onsetStep,
    onsetLowerStep: jump.onsetLowerStep,
    onsetTimeMs: jump.onsetTimeMs,
    detectedStep: jump.detectedStep,
    detectedTimeMs: jump.detectedTimeMs,
    peakStep: jump.onsetStep,
    endStep: jump.detectedStep,
    shape: "jump",
    peakValue: jump.value,
    baselineValue: jump.expected,
    levelShift: null,
    summary,
    evidence: jumpEvidence(rules, jump, ratio),
    facts: [{ fact: "learning-rate-off", value: ratio }],
  });
}

function jumpEvidence(rules: Rules, jump: Jump, ratio: number | null): Evidence[] {
  const size = ratio === null ? "off zero" : sayRatio(jump.value, jump.expected);
  const list = [
    jump.kind === "jump"
      ? evidence("for", `${size} of what the points before it lead to; ${sayInteger(rules.off)} % is allowed`, ratio, "× expected", METRIC)
      : evidence(
          "for",
          `It rises as a warm-up does, but its slope from step 0 would stand at ${sayValue(jump.expected)} here`,
          ratio,
          "× expected",
          METRIC,
        ),
  ];
  if (jump.severity === "warning" && jump.kind === "jump")
    list.push(evidence("for", "It is higher than it has ever been in this attempt", jump.value, null, METRIC));
  list.push(evidence("against", "A schedule in steps or cycles, or a change that somebody made on purpose, looks the same"));
  return list;
}

export const learningRateJump = {
  id: ID,
  version: VERSION,
  title: "Learning rate off its schedule",
  finds: "A learning rate that leaves its own smooth schedule, or warms up anew after a resume: look here first when the loss moves.",
  source: "detection.md A.1 and A.6: IDEFICS lost two restarts to a resume that reset the learning rate",
  metrics: [METRIC],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

import { sayInteger, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { newSampleRing, pushSample } from "../series/sample-ring.ts";
import type { SampleRing } from "../series/sample-ring.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

const ID = "loss-scale-collapse";
const VERSION = 1;
const METRIC = "loss_scale";

const PARAMETERS = [
  { name: "halvings", value: 5, unit: "halvings", meaning: "A scale that has fallen by so many within the window has collapsed" },
  { name: "window", value: 256, unit: "logged points", meaning: "Points whose highest scale it is compared with", least: 16, most: 4_096 },
  {
    name: "opening",
    value: 64,
    unit: "logged points",
    meaning: "Points without a fall, or one rise, after which fp16 training has found its scale",
  },
  {
    name: "floor",
    value: 1,
    unit: "",
    meaning: "At or below this scale, of one that has moved, nothing is left to halve: it pages",
    least: 0,
  },
  { name: "back", value: 2, unit: "halvings", meaning: "No farther than this below where it stood it has recovered" },
] as const satisfies readonly DetectorParameter[];
type Rules = ParameterValues<typeof PARAMETERS>;

interface Collapse {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  from: number;
  lowest: number;
  lowestStep: number;
  atFloor: boolean;
  endStep: number | null;
}

interface ScaleState {
  order: StepOrder;
  seen: number;
  ring: SampleRing;
  /** fp16 training begins by halving from a scale far too high until it fits; only what falls after that has collapsed. */
  isSettled: boolean;
  sinceFall: number;
  open: Collapse | null;
}

const fresh = (): ScaleState => ({ order: newStepOrder(), seen: 0, ring: newSampleRing(), isSettled: false, sinceFall: 0, open: null });

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const rules = parametersOf(entry, context);
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () => (state.open === null ? [] : [finding(context, rules, state.open)]),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => (state.seen > 0 ? { sees: true, why: null } : { sees: false, why: "no loss scale is logged" }),
  };
}

function observe(context: MonitorContext, rules: Rules, state: ScaleState, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  if (metric !== METRIC || !Number.isFinite(value) || value < 0) return [];
  const admission = admit(state.order, step);
  if (admission === "late") return [];
  if (admission === "restart") Object.assign(state, { ring: newSampleRing(), isSettled: false, sinceFall: 0 });
  state.seen++;
  settle(rules, state, value);
  pushSample(state.ring, rules.window, step, timeMs, value);
  if (state.open !== null) return follow(context, rules, state, state.open, step, value);
  if (!state.isSettled) return [];
  const { steps, times, values } = state.ring;
  const high = Math.max(...values);
  const isAtFloor = value <= rules.floor && high > rules.floor;
  if (!isAtFloor && value * 2 ** rules.halvings > high) return [];
  const first = values.lastIndexOf(high) + 1;
  state.open = {
    onsetStep: steps[first] ?? step,
    onsetTimeMs: times[first] ?? timeMs,
    onsetLowerStep: earliestStep(steps[first - 1], steps[first] ?? step),
    detectedStep: step,
    detectedTimeMs: timeMs,
    from: high,
    lowest: value,
    lowestStep: step,
    atFloor: isAtFloor,
    endStep: null,
  };
  return [finding(context, rules, state.open)];
}

function settle(rules: Rules, state: ScaleState, value: number): void {
  const last = state.ring.values.at(-1);
  if (last === undefined || state.isSettled) return;
  state.sinceFall = value < last ? 0 : state.sinceFall + 1;
  state.isSettled = value > last || state.sinceFall >= rules.opening;
  // What the search began with is no level to fall from.
  if (state.isSettled) state.ring = newSampleRing();
}

function follow(context: MonitorContext, rules: Rules, state: ScaleState, open: Collapse, step: number, value: number): readonly Finding[] {
  if (value * 2 ** rules.back >= open.from && value > rules.floor) {
    open.endStep = step;
    state.open = null;
    state.ring = newSampleRing();
    return [finding(context, rules, open)];
  }
  const wasAtFloor = open.atFloor;
  open.atFloor ||= value <= rules.floor;
  if (value >= open.lowest) return [];
  Object.assign(open, { lowest: value, lowestStep: step });
  const isHalved = open.atFloor !== wasAtFloor || Number.isInteger(Math.log2(value / open.from));
  return isHalved ? [finding(context, rules, open)] : [];
}

function finding(context: MonitorContext, rules: Rules, open: Collapse): Finding {
  const end = open.endStep === null ? "not recovered" : `back at step ${sayInteger(open.endStep)}`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: METRIC,
    severity: open.atFloor ? "critical" : "warning",
    state: open.endStep === null ? "ongoing" : "recovered",
    onsetStep: open.onsetStep,
    onsetLowerStep: open.onsetLowerStep,
    onsetTimeMs: open.onsetTimeMs,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedTimeMs,
    peakStep: open.lowestStep,
    endStep: open.endStep,
    shape: "ramp",
    peakValue: open.lowest,
    baselineValue: open.from,
    levelShift: null,
    summary: `The loss scale collapsed from ${sayValue(open.from)} to ${sayValue(open.lowest)} from step ${sayInteger(open.onsetStep)} on${open.atFloor ? ", its floor" : ""}; ${end}.`,
    evidence: collapseEvidence(rules, open),
    facts: [{ fact: "loss-scale-collapsed", value: open.lowest }],
  });
}

function collapseEvidence(rules: Rules, open: Collapse): Evidence[] {
  const halvings = open.lowest === 0 ? null : Math.log2(open.from / open.lowest);
  const list = [
    evidence(
      "for",
      halvings === null
        ? "It fell to zero"
        : `It was halved about ${sayInteger(halvings)} times; a healthy scale is halved once and doubles again`,
      halvings,
      "halvings",
      METRIC,
    ),
  ];
  if (open.atFloor)
    list.push(
      evidence("for", `At ${sayValue(rules.floor)} nothing is left to halve: gradients overflow at any scale`, open.lowest, null, METRIC),
    );
  if (open.endStep === null)
    list.push(evidence("against", "Skipped steps leave the weights as they were: nothing is lost but time while the loss is finite"));
  else list.push(evidence("against", `It was back at step ${sayInteger(open.endStep)}`, open.endStep, "step", METRIC));
  return list;
}

export const lossScaleCollapse = {
  id: ID,
  version: VERSION,
  title: "Loss scale collapse",
  finds: "A dynamic loss scale that is halved again and again: gradients overflow on step after step and the run stands still.",
  source: "OPT-175B's logbook (detection.md A.1): the scale at its floor before most of its restarts; Micikevicius et al. 2018",
  metrics: [METRIC],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

import type { Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { newNormCompanion, normMove, noteNorm } from "../companion/norm-companion.ts";
import type { NormCompanion, NormMove } from "../companion/norm-companion.ts";
import { newRateCompanion, noteRate } from "../companion/rate-companion.ts";
import type { RateCompanion } from "../companion/rate-companion.ts";
import { makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { finishShift } from "../shift/follow.ts";
import { SHIFT_DEFAULTS, shiftEngine, shiftParameters } from "../shift/parameters.ts";
import type { ShiftParameters } from "../shift/parameters.ts";
import { causeEvidence, normEvidence, ownEvidence, updateEvidence } from "../shift/shift-evidence.ts";
import { shiftCoverage } from "../shift/shift-coverage.ts";
import { observeShift } from "../shift/shift-engine.ts";
import type { ShiftRecord } from "../shift/shift-record.ts";
import { newShiftState } from "../shift/shift-state.ts";
import type { ShiftState } from "../shift/shift-state.ts";
import { shiftSummary } from "../shift/shift-words.ts";

const ID = "loss-shift";
const VERSION = 2;
/** With the norm at its page ratio, a loss that rises for so many points pages at once (detection.md A.4). */
const RISING_POINTS = 3;
/** The loss counts as recovered only with the norm back below its calm ratio (A.5); held for so many samples at most. */
const LONGEST_HOLD = 64;

const PARAMETERS = [
  ...shiftParameters(SHIFT_DEFAULTS),
  // A rise below one per cent of the loss is worth a mark on the chart and nobody's time.
  { name: "material", value: 0.01, unit: "share of the loss", meaning: "A peak lower than this above the baseline is a note", least: 0 },
  {
    name: "page_norm_ratio",
    value: 10,
    unit: "× median",
    meaning: "Gradient norm at which a loss rising for three points pages at once",
  },
  { name: "calm_norm_ratio", value: 1.5, unit: "× median", meaning: "Gradient norm below which the loss may count as recovered" },
] as const satisfies readonly DetectorParameter[];

interface Rules {
  readonly engine: ShiftParameters;
  readonly material: number;
  readonly pageRatio: number;
  readonly calmRatio: number;
}

interface LossShiftState {
  shift: ShiftState;
  norm: NormCompanion;
  update: NormCompanion;
  rate: RateCompanion;
  firstStep: number | null;
  /** First step at which the update norm was high before the open excursion, and by how many steps the first of the norms led it: known while it is fresh. */
  updateLeadStep: number | null;
  lead: number | null;
  /** Median norm before the open excursion, and whether it has been critical. */
  base: number | null;
  paged: boolean;
}

const fresh = (): LossShiftState => ({
  shift: newShiftState(),
  norm: newNormCompanion(),
  update: newNormCompanion(),
  rate: newRateCompanion(),
  firstStep: null,
  updateLeadStep: null,
  lead: null,
  base: null,
  paged: false,
});

function rulesOf(context: MonitorContext): Rules {
  const values = parametersOf({ id: ID, parameters: PARAMETERS }, context);
  return {
    engine: shiftEngine(values),
    material: values.material,
    pageRatio: values.page_norm_ratio,
    calmRatio: values.calm_norm_ratio,
  };
}

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const rules = rulesOf(context);
  const overrides = overridesOf({ id: ID, parameters: PARAMETERS }, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () => {
      const record = finishShift(state.shift, rules.engine);
      return record === null ? [] : [finding(context, rules, state, record)];
    },
    state: () => storeState(VERSION, state, overrides),
    coverage: () => shiftCoverage(state.shift, "loss", rules.engine),
  };
}

function observe(context: MonitorContext, rules: Rules, state: LossShiftState, sample: Sample): readonly Finding[] {
  if (sample.metric === "grad_norm") noteNorm(state.norm, sample.step, sample.value);
  if (sample.metric === "update_norm") noteNorm(state.update, sample.step, sample.value);
  if (sample.metric === "learning_rate") noteRate(state.rate, sample.step, sample.value);
  if (sample.metric !== "loss") return [];
  state.firstStep ??= sample.step;
  const wasOpen = state.shift.open !== null;
  const record = observeShift(state.shift, sample, rules.engine, !isNormHigh(rules, state));
  if (record === null) return [];
  if (!wasOpen && record.episodes === 1) Object.assign(state, { updateLeadStep: null, lead: null, base: null, paged: false });
  return [finding(context, rules, state, record)];
}

function isNormHigh(rules: Rules, state: LossShiftState): boolean {
  const open = state.shift.open;
  if (open === null || open.sinceAlarm > LONGEST_HOLD) return false;
  const move = normMove(state.norm, open.record.onsetStep, state.base);
  return move !== null && move.nowRatio >= rules.calmRatio;
}

function finding(context: MonitorContext, rules: Rules, state: LossShiftState, record: ShiftRecord): Finding {
  const move = normMove(state.norm, record.onsetStep, state.base);
  state.base ??= move?.base ?? null;
  const exploding = move !== null && move.highestRatio >= rules.pageRatio && record.state === "ongoing" && isRising(state.shift);
  state.paged ||= record.state === "diverged" || exploding;
  noteLead(state, record.onsetStep, move);
  return makeFinding({ id: ID, version: VERSION }, context, {
    ...record,
    metric: "loss",
    severity: severityOf(rules, state, record),
    identityStep: record.detectedStep,
    summary: shiftSummary("loss", record),
    evidence: [
      ...ownEvidence(record, rules.engine),
      ...normEvidence(move),
      ...updateEvidence(state.updateLeadStep),
      ...causeEvidence(record.onsetStep, state.firstStep, state.rate),
    ],
    facts: state.lead === null ? [] : [{ fact: "norm-led-loss", value: state.lead }],
  });
}

function noteLead(state: LossShiftState, onsetStep: number, norm: NormMove | null): void {
  state.updateLeadStep ??= normMove(state.update, onsetStep, null)?.leadStep ?? null;
  const first = Math.min(norm?.leadStep ?? onsetStep, state.updateLeadStep ?? onsetStep);
  if (first < onsetStep) state.lead = Math.max(state.lead ?? 0, onsetStep - first);
}

function severityOf(rules: Rules, state: LossShiftState, record: ShiftRecord): Severity {
  if (state.paged) return "critical";
  const height = Math.abs(record.peakValue - record.baselineValue);
  return state.shift.scale === "log" && height < rules.material * record.baselineValue ? "info" : "warning";
}

function isRising(shift: ShiftState): boolean {
  const held = shift.open?.recent.values.length ?? 0;
  const values = (held >= RISING_POINTS ? (shift.open?.recent.values ?? []) : shift.ring.values).slice(-RISING_POINTS);
  return values.length === RISING_POINTS && values.every((value, index) => index === 0 || value > (values[index - 1] ?? value));
}

export const lossShift = {
  id: ID,
  version: VERSION,
  title: "Loss shift",
  finds:
    "A rise of the loss that lasts for more than a few logged points: a spike that builds up, a new level after a spike, a divergence.",
  source: "Winsorised CUSUM (Page 1954) on a lagged, frozen, detrended median/MAD baseline: detection.md A.2 to A.5, E.2",
  metrics: ["loss", "grad_norm", "update_norm", "learning_rate"],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

import type { Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { newNormCompanion, normMove, noteNorm } from "../companion/norm-companion.ts";
import type { NormCompanion } from "../companion/norm-companion.ts";
import { newRateCompanion, noteRate } from "../companion/rate-companion.ts";
import type { RateCompanion } from "../companion/rate-companion.ts";
import { makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { finishShift } from "../shift/follow.ts";
import { SHIFT_PARAMETERS } from "../shift/parameters.ts";
import { causeEvidence, normEvidence, ownEvidence } from "../shift/shift-evidence.ts";
import { shiftCoverage } from "../shift/shift-coverage.ts";
import { observeShift } from "../shift/shift-engine.ts";
import { shiftParameters } from "../shift/shift-manual.ts";
import type { ShiftRecord } from "../shift/shift-record.ts";
import { newShiftState } from "../shift/shift-state.ts";
import type { ShiftState } from "../shift/shift-state.ts";
import { shiftSummary } from "../shift/shift-words.ts";

const ID = "loss-shift";
const VERSION = 1;
/** A rise below one per cent of the loss is worth a mark on the chart and nobody's time. */
const MATERIAL = 0.01;
/** Page at once: the norm at ten times its median while the loss rises for three points (detection.md A.4). */
const PAGE_RATIO = 10;
const RISING_POINTS = 3;
/** The loss counts as recovered only with the norm back below this (A.5); held for so many samples at most. */
const CALM_RATIO = 1.5;
const LONGEST_HOLD = 64;

interface LossShiftState {
  shift: ShiftState;
  norm: NormCompanion;
  rate: RateCompanion;
  firstStep: number | null;
  /** Median norm before the open excursion, and whether it has been critical. */
  base: number | null;
  paged: boolean;
}

const fresh = (): LossShiftState => ({
  shift: newShiftState(),
  norm: newNormCompanion(),
  rate: newRateCompanion(),
  firstStep: null,
  base: null,
  paged: false,
});

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const state = restoreState(stored, VERSION, fresh);
  return {
    observe: (sample) => observe(context, state, sample),
    finish: () => {
      const record = finishShift(state.shift, SHIFT_PARAMETERS);
      return record === null ? [] : [finding(context, state, record)];
    },
    state: () => storeState(VERSION, state),
    coverage: () => shiftCoverage(state.shift, "loss"),
  };
}

function observe(context: MonitorContext, state: LossShiftState, sample: Sample): readonly Finding[] {
  if (sample.metric === "grad_norm") noteNorm(state.norm, sample.step, sample.value);
  if (sample.metric === "learning_rate") noteRate(state.rate, sample.step, sample.value);
  if (sample.metric !== "loss") return [];
  state.firstStep ??= sample.step;
  const wasOpen = state.shift.open !== null;
  const record = observeShift(state.shift, sample, SHIFT_PARAMETERS, !isNormHigh(state));
  if (record === null) return [];
  if (!wasOpen && record.episodes === 1) Object.assign(state, { base: null, paged: false });
  return [finding(context, state, record)];
}

function isNormHigh(state: LossShiftState): boolean {
  const open = state.shift.open;
  if (open === null || open.sinceAlarm > LONGEST_HOLD) return false;
  const move = normMove(state.norm, open.record.onsetStep, state.base);
  return move !== null && move.nowRatio >= CALM_RATIO;
}

function finding(context: MonitorContext, state: LossShiftState, record: ShiftRecord): Finding {
  const move = normMove(state.norm, record.onsetStep, state.base);
  state.base ??= move?.base ?? null;
  const exploding = move !== null && move.highestRatio >= PAGE_RATIO && record.state === "ongoing" && isRising(state.shift);
  state.paged ||= record.state === "diverged" || exploding;
  return makeFinding({ id: ID, version: VERSION }, context, {
    ...record,
    metric: "loss",
    severity: severityOf(state, record),
    identityStep: record.detectedStep,
    summary: shiftSummary("loss", record),
    evidence: [
      ...ownEvidence(record, SHIFT_PARAMETERS),
      ...normEvidence(move),
      ...causeEvidence(record.onsetStep, state.firstStep, state.rate),
    ],
  });
}

function severityOf(state: LossShiftState, record: ShiftRecord): Severity {
  if (state.paged) return "critical";
  const height = Math.abs(record.peakValue - record.baselineValue);
  return state.shift.scale === "log" && height < MATERIAL * record.baselineValue ? "info" : "warning";
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
  metrics: ["loss", "grad_norm", "learning_rate"],
  parameters: [
    ...shiftParameters(SHIFT_PARAMETERS),
    { name: "material", value: MATERIAL, unit: "share of the loss", meaning: "A peak lower than this above the baseline is a note" },
    {
      name: "page_norm_ratio",
      value: PAGE_RATIO,
      unit: "× median",
      meaning: "Gradient norm at which a loss rising for three points pages at once",
    },
    { name: "calm_norm_ratio", value: CALM_RATIO, unit: "× median", meaning: "Gradient norm below which the loss may count as recovered" },
  ],
  create,
} satisfies DetectorEntry;

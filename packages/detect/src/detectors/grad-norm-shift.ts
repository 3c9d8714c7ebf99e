import { metricEntry, sayInteger } from "@trainwatch/core";
import type { Evidence, Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { newNormCompanion, normMove, noteNorm } from "../companion/norm-companion.ts";
import type { NormCompanion } from "../companion/norm-companion.ts";
import { newRateCompanion, noteRate } from "../companion/rate-companion.ts";
import type { RateCompanion } from "../companion/rate-companion.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { finishShift } from "../shift/follow.ts";
import { SHIFT_DEFAULTS, shiftEngine, shiftParameters } from "../shift/parameters.ts";
import type { ShiftParameters } from "../shift/parameters.ts";
import { shiftCoverage } from "../shift/shift-coverage.ts";
import { causeEvidence, ownEvidence } from "../shift/shift-evidence.ts";
import { observeShift } from "../shift/shift-engine.ts";
import type { ShiftRecord } from "../shift/shift-record.ts";
import { newShiftState } from "../shift/shift-state.ts";
import type { ShiftState } from "../shift/shift-state.ts";
import { shiftSummary } from "../shift/shift-words.ts";

const ID = "grad-norm-shift";
const VERSION = 1;
const NORMS = ["grad_norm", "update_norm"] as const;
type Norm = (typeof NORMS)[number];

/** Norms wander by tens of per cent over a healthy run, so a move alone is a note; tripled and staying there it is a ticket. */
const TICKET_RATIO = 3;
const PARAMETERS = [
  ...shiftParameters({ ...SHIFT_DEFAULTS, diverged_ratio: 10, climbing_ratio: TICKET_RATIO }),
  {
    name: "ticket_ratio",
    value: TICKET_RATIO,
    unit: "× baseline",
    meaning: "A norm that stays this high is a warning; below it is a note",
    least: 1,
  },
  { name: "ticket_points", value: 16, unit: "logged points", meaning: "How long it must stay there" },
] as const satisfies readonly DetectorParameter[];

interface Rules {
  readonly engine: ShiftParameters;
  readonly ticketLog: number;
  readonly ticketSamples: number;
}

/** A loss that rose by less than this share, or by fewer of its own deviations, did not move. */
const LOSS_MOVED = 0.02;
const LOSS_DEVIATIONS = 5;

interface NormState {
  shift: ShiftState;
  /** Median and scatter of the loss before the open excursion. */
  lossBefore: { base: number; scatter: number } | null;
  ticketed: boolean;
}

interface GradNormShiftState {
  norms: Record<Norm, NormState>;
  /** The loss, tracked like a norm: what it did when the norm moved. */
  loss: NormCompanion;
  rate: RateCompanion;
  firstStep: number | null;
}

const newNorm = (): NormState => ({ shift: newShiftState(), lossBefore: null, ticketed: false });
const fresh = (): GradNormShiftState => ({
  norms: { grad_norm: newNorm(), update_norm: newNorm() },
  loss: newNormCompanion(),
  rate: newRateCompanion(),
  firstStep: null,
});

const isNorm = (metric: string): metric is Norm => NORMS.some((norm) => norm === metric);

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const values = parametersOf({ id: ID, parameters: PARAMETERS }, context);
  const overrides = overridesOf({ id: ID, parameters: PARAMETERS }, context);
  const rules: Rules = { engine: shiftEngine(values), ticketLog: Math.log(values.ticket_ratio), ticketSamples: values.ticket_points };
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () =>
      NORMS.flatMap((metric) => {
        const record = finishShift(state.norms[metric].shift, rules.engine);
        return record === null ? [] : [finding(context, rules, state, metric, record)];
      }),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => {
      const seen = NORMS.find((metric) => state.norms[metric].shift.seen > 0);
      return shiftCoverage(state.norms[seen ?? "grad_norm"].shift, seen === "update_norm" ? "update norm" : "gradient norm", rules.engine);
    },
  };
}

function observe(context: MonitorContext, rules: Rules, state: GradNormShiftState, sample: Sample): readonly Finding[] {
  if (sample.metric === "loss") noteNorm(state.loss, sample.step, sample.value);
  if (sample.metric === "learning_rate") noteRate(state.rate, sample.step, sample.value);
  // A norm of zero is no small norm: the logger or the backward pass is broken, which is another detector's matter.
  if (!isNorm(sample.metric) || sample.value <= 0) return [];
  state.firstStep ??= sample.step;
  const norm = state.norms[sample.metric];
  const wasOpen = norm.shift.open !== null;
  const record = observeShift(norm.shift, sample, rules.engine, true);
  if (record === null) return [];
  if (!wasOpen && record.episodes === 1) Object.assign(norm, { ticketed: false, lossBefore: null });
  return [finding(context, rules, state, sample.metric, record)];
}

function finding(context: MonitorContext, rules: Rules, state: GradNormShiftState, metric: Norm, record: ShiftRecord): Finding {
  return makeFinding({ id: ID, version: VERSION }, context, {
    ...record,
    metric,
    severity: severityOf(rules, state.norms[metric], record),
    summary: shiftSummary(metric, record),
    evidence: [
      ...ownEvidence(record, rules.engine),
      ...lossEvidence(state, metric, record),
      ...causeEvidence(record.onsetStep, state.firstStep, state.rate),
    ],
  });
}

function severityOf(rules: Rules, norm: NormState, record: ShiftRecord): Severity {
  const sigma = norm.shift.open?.baseline.sigma ?? 0;
  const tripled = record.levelSigma * sigma >= rules.ticketLog && (norm.shift.open?.sinceAlarm ?? 0) >= rules.ticketSamples;
  norm.ticketed ||= record.state === "diverged" || (record.state === "ongoing" && tripled);
  return norm.ticketed ? "warning" : "info";
}

function lossEvidence(state: GradNormShiftState, metric: Norm, record: ShiftRecord): Evidence[] {
  const title = (metricEntry(metric)?.title ?? metric).toLowerCase();
  const norm = state.norms[metric];
  const move = normMove(state.loss, record.onsetStep, norm.lossBefore?.base ?? null);
  if (move === null)
    return [evidence("against", `No loss is logged beside the ${title}, or not enough of it to compare with`, null, null, "loss")];
  norm.lossBefore ??= { base: move.base, scatter: move.scatter ?? 0 };
  const rise = move.highestRatio - 1;
  const height = `${(100 * rise).toFixed(1)} %`;
  const moved = Math.max(LOSS_MOVED, LOSS_DEVIATIONS * norm.lossBefore.scatter);
  if (rise < moved) return [evidence("against", `The loss has not moved: at most ${height} above its median`, 100 * rise, "%", "loss")];
  return [
    evidence(
      "for",
      `The loss rose by up to ${height} at or after the onset, at step ${sayInteger(move.highestStep)}${move.nowRatio - 1 < moved ? "; it is back" : ""}`,
      100 * rise,
      "%",
      "loss",
    ),
  ];
}

export const gradNormShift = {
  id: ID,
  version: VERSION,
  title: "Gradient-norm shift",
  finds: "A lasting rise of the gradient or update norm: often the first sign, some steps before the loss moves.",
  source: "The loss-shift rule on log norms: detection.md finding 3 (BLOOM-176B: 3.9 times its baseline four steps ahead), A.2, A.4",
  metrics: ["grad_norm", "update_norm", "loss", "learning_rate"],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

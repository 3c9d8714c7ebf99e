import { sayInteger, sayValue } from "@trainwatch/core";
import type { Evidence, Finding, Sample, Severity } from "@trainwatch/core";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { newRepeats, noteValue, repeatIsChance } from "../non-finite/repeats.ts";
import type { Repeats } from "../non-finite/repeats.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

const ID = "logger-hides-nan";
const VERSION = 1;
const PARAMETERS = [
  { name: "broken_norms", value: 5, unit: "logged points", meaning: "NaN or zero norms in a row under a finite loss" },
  {
    name: "identical_losses",
    value: 5,
    unit: "logged points",
    meaning: "Bit-identical losses in a row that must go with zero norms",
  },
  {
    name: "identical_alone",
    value: 20,
    unit: "logged points",
    meaning: "Bit-identical losses in a row that make a note by themselves",
  },
  { name: "chance", value: 1e-9, unit: "", meaning: "And at most this likely from how often the loss repeated before", most: 1 },
] as const satisfies readonly DetectorParameter[];
type Rules = ParameterValues<typeof PARAMETERS>;

/** Sound points in a row after which it is over. */
const SOUND_AGAIN = 8;
/** Metrics by which a trainer itself counts what its logger leaves out: TRL's, and Megatron-LM's under its own name. */
const COUNTERS = ["frac_non_finite_loss", "number of nan iterations"] as const;

interface Suspicion {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  severity: Severity;
  brokenNorms: number;
  identicalLosses: number;
  counter: { name: string; value: number } | null;
  endStep: number | null;
  soundFor: number;
}

interface BrokenRun {
  count: number;
  notANumber: number;
  firstStep: number;
  firstTimeMs: number | null;
  lowerStep: number;
}

interface HiddenNanState {
  lossOrder: StepOrder;
  normOrder: StepOrder;
  losses: Repeats;
  lastLossFinite: boolean;
  norms: BrokenRun;
  lastSoundNormStep: number | null;
  hadSoundNorm: boolean;
  counterOrder: StepOrder;
  open: Suspicion | null;
}

const noRun = (): BrokenRun => ({ count: 0, notANumber: 0, firstStep: 0, firstTimeMs: null, lowerStep: 0 });
const fresh = (): HiddenNanState => ({
  lossOrder: newStepOrder(),
  normOrder: newStepOrder(),
  losses: newRepeats(),
  lastLossFinite: false,
  norms: noRun(),
  lastSoundNormStep: null,
  hadSoundNorm: false,
  counterOrder: newStepOrder(),
  open: null,
});

/** The run's context, the rules in force and the state they work on. */
interface Watching {
  readonly context: MonitorContext;
  readonly rules: Rules;
  readonly state: HiddenNanState;
}

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  const watching: Watching = { context, rules: parametersOf(entry, context), state };
  return {
    observe: (sample) => observe(watching, sample),
    finish: () => (state.open === null ? [] : [finding(watching, state.open)]),
    state: () => storeState(VERSION, state, overrides),
    coverage: () =>
      state.losses.seen > 0
        ? { sees: true, why: state.normOrder.last === null ? "no gradient norm is logged: only identical losses can tell" : null }
        : { sees: false, why: "no loss is logged" },
  };
}

function observe(watching: Watching, sample: Sample): readonly Finding[] {
  const { state } = watching;
  if (COUNTERS.some((name) => name === sample.metric)) return observeCounter(watching, sample);
  if (sample.metric === "loss" && admit(state.lossOrder, sample.step) !== "late") {
    state.lastLossFinite = Number.isFinite(sample.value);
    noteValue(state.losses, sample);
    return judge(watching, sample);
  }
  if (sample.metric === "grad_norm" && admit(state.normOrder, sample.step) !== "late") {
    noteNorm(state, sample);
    return judge(watching, sample);
  }
  return [];
}

function noteNorm(state: HiddenNanState, sample: Sample): void {
  // A norm that was never anything but zero is a column the trainer does not fill; NaN is broken from the first.
  const broken = Number.isNaN(sample.value) || (sample.value === 0 && state.hadSoundNorm);
  if (!broken) {
    state.norms = noRun();
    state.lastSoundNormStep = sample.step;
    state.hadSoundNorm ||= sample.value > 0;
    return;
  }
  const run = state.norms;
  if (run.count === 0)
    Object.assign(run, {
      firstStep: sample.step,
      firstTimeMs: sample.timeMs,
      lowerStep: earliestStep(state.lastSoundNormStep, sample.step),
    });
  run.count++;
  if (Number.isNaN(sample.value)) run.notANumber++;
}

/** The trainer's own count of what its logger replaced or left out. */
function observeCounter(watching: Watching, sample: Sample): readonly Finding[] {
  const { state } = watching;
  // Where the loss itself is logged as NaN, nothing is hidden.
  const shown = state.losses.seen > 0 && !state.lastLossFinite;
  if (admit(state.counterOrder, sample.step) === "late" || !(sample.value > 0) || shown) return [];
  if (state.open !== null) {
    state.open.counter = { name: sample.metric, value: sample.value };
    state.open.soundFor = 0;
    return [];
  }
  state.open = suspicion(sample, { firstStep: sample.step, firstTimeMs: sample.timeMs, lowerStep: sample.step }, "warning", state);
  state.open.counter = { name: sample.metric, value: sample.value };
  return [finding(watching, state.open)];
}

function judge(watching: Watching, sample: Sample): readonly Finding[] {
  const { rules, state } = watching;
  const { norms, losses } = state;
  const norm = norms.count >= rules.broken_norms && state.lastLossFinite && (norms.notANumber > 0 || losses.run >= rules.identical_losses);
  const alone = losses.run >= rules.identical_alone && state.lastLossFinite && !repeatIsChance(losses, rules.chance);
  if (state.open !== null) return follow(watching, state.open, sample, norm || alone || norms.count > 0);
  if (!norm && !alone) return [];
  const start = norm ? norms : { firstStep: losses.runStep, firstTimeMs: losses.runTimeMs, lowerStep: losses.runStep };
  state.open = suspicion(sample, start, norm ? "warning" : "info", state);
  return [finding(watching, state.open)];
}

function follow(watching: Watching, open: Suspicion, sample: Sample, suspect: boolean): readonly Finding[] {
  const { rules, state } = watching;
  const before = open.severity;
  open.brokenNorms = Math.max(open.brokenNorms, state.norms.count);
  open.identicalLosses = Math.max(open.identicalLosses, state.losses.run);
  if (state.norms.count >= rules.broken_norms && state.lastLossFinite) open.severity = "warning";
  if (suspect) {
    open.soundFor = 0;
    return before === open.severity ? [] : [finding(watching, open)];
  }
  open.soundFor++;
  if (open.soundFor < SOUND_AGAIN) return [];
  open.endStep = sample.step;
  state.open = null;
  return [finding(watching, open)];
}

function suspicion(
  sample: Sample,
  start: Pick<BrokenRun, "firstStep" | "firstTimeMs" | "lowerStep">,
  severity: Severity,
  state: HiddenNanState,
): Suspicion {
  return {
    onsetStep: start.firstStep,
    onsetTimeMs: start.firstTimeMs,
    onsetLowerStep: start.lowerStep,
    detectedStep: sample.step,
    detectedTimeMs: sample.timeMs,
    severity,
    brokenNorms: state.norms.count,
    identicalLosses: state.losses.run,
    counter: null,
    endStep: null,
    soundFor: 0,
  };
}

function finding({ context, rules }: Watching, open: Suspicion): Finding {
  const since = `since step ${sayInteger(open.onsetStep)}`;
  const why =
    open.counter !== null
      ? `${open.counter.name} is ${sayValue(open.counter.value)}`
      : open.brokenNorms >= rules.broken_norms
        ? "the gradient norm is NaN or zero under a finite loss"
        : "the loss is bit-identical on every logged point";
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: "loss",
    subject: { kind: "logger", id: context.run },
    severity: open.severity,
    state: open.endStep === null ? "ongoing" : "recovered",
    onsetStep: open.onsetStep,
    onsetLowerStep: open.onsetLowerStep,
    onsetTimeMs: open.onsetTimeMs,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedTimeMs,
    peakStep: null,
    endStep: open.endStep,
    shape: "jump",
    peakValue: null,
    baselineValue: null,
    levelShift: null,
    summary: `The logger may hide NaN ${since}: ${why}.`,
    evidence: suspicionEvidence(rules, open),
  });
}

function suspicionEvidence(rules: Rules, open: Suspicion): Evidence[] {
  const list: Evidence[] = [];
  if (open.counter !== null)
    list.push(
      evidence(
        "for",
        `The trainer reports ${open.counter.name} ${sayValue(open.counter.value)}`,
        open.counter.value,
        null,
        open.counter.name,
      ),
    );
  if (open.brokenNorms > 0)
    list.push(
      evidence(
        "for",
        `The gradient norm was NaN or zero on ${sayInteger(open.brokenNorms)} logged points in a row while the loss was finite`,
        open.brokenNorms,
        "points",
        "grad_norm",
      ),
    );
  else list.push(evidence("against", "No broken gradient norm was seen", null, null, "grad_norm"));
  if (open.identicalLosses >= rules.identical_losses)
    list.push(
      evidence(
        "for",
        `The loss was bit-identical on ${sayInteger(open.identicalLosses)} logged points in a row`,
        open.identicalLosses,
        "points",
        "loss",
      ),
    );
  else list.push(evidence("against", "The logged loss still changes from point to point", open.identicalLosses, "points", "loss"));
  list.push(evidence("against", "A norm column that the trainer fills badly, or training that stands still, would look the same"));
  list.push(
    evidence(
      "neutral",
      "Hugging Face's logging_nan_inf_filter replaces a NaN loss by the running mean; it is on by default",
      null,
      null,
      "huggingface/trl#6702",
    ),
  );
  return list;
}

export const loggerHidesNan = {
  id: ID,
  version: VERSION,
  title: "Logger may hide NaN",
  finds: "A smooth or frozen loss over broken gradients: what a logger that filters NaN makes of a ruined run.",
  source: "huggingface/trl#6702: logging_nan_inf_filter replaces NaN losses by the running mean",
  metrics: ["loss", "grad_norm", ...COUNTERS],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

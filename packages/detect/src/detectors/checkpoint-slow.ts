import { sayInteger, sayValue } from "@trainwatch/core";
import type { Finding, Sample } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import type { DetectorEntry, DetectorInstance, DetectorParameter, MonitorContext } from "../contract.ts";
import { evidence, makeFinding } from "../finding/make-finding.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import type { ParameterValues } from "../parameters.ts";
import { earliestStep } from "../series/earliest-step.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";

const ID = "checkpoint-slow";
const VERSION = 2;
const METRIC = "checkpoint_save_time";
/** A usual time that was left so many times ago is not looked for any more. */
const MOST_TAKEN = 4;

const PARAMETERS = [
  { name: "ratio", value: 2, unit: "× median", meaning: "A save so long is slow", least: 1.1 },
  { name: "in_a_row", value: 3, unit: "saves", meaning: "So many slow saves in a row are a warning; fewer are a note" },
  { name: "history", value: 20, unit: "saves", meaning: "Earlier saves that make the median", least: 5, most: 512 },
  { name: "fewest", value: 5, unit: "saves", meaning: "Fewest of them before one is judged", least: 3, most: 512 },
  { name: "longest", value: 20, unit: "saves", meaning: "After so many slow ones the new time is taken as usual" },
] as const satisfies readonly DetectorParameter[];
type Rules = ParameterValues<typeof PARAMETERS>;

interface Slow {
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  usual: number;
  peakStep: number;
  peak: number;
  saves: number[];
  endStep: number | null;
  isTakenAsUsual: boolean;
}

interface SaveState {
  order: StepOrder;
  seen: number;
  /** Durations of earlier saves in seconds, oldest first. */
  history: number[];
  lastStep: number | null;
  open: Slow | null;
  /** Those whose time has been taken as the usual one, oldest first: what was usual before is known still. */
  taken: Slow[];
}

const fresh = (): SaveState => ({ order: newStepOrder(), seen: 0, history: [], lastStep: null, open: null, taken: [] });

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: ID, parameters: PARAMETERS };
  const rules = parametersOf(entry, context);
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () => (state.open === null ? [] : [finding(context, rules, state.open)]),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(rules, state),
  };
}

function coverage(rules: Rules, { seen }: SaveState): ReturnType<DetectorInstance["coverage"]> {
  if (seen === 0) return { sees: false, why: "no save time of checkpoints is logged" };
  return seen > rules.fewest
    ? { sees: true, why: null }
    : { sees: false, why: `too short: ${seen} saves, a usual time needs ${rules.fewest}` };
}

function observe(context: MonitorContext, rules: Rules, state: SaveState, { metric, step, timeMs, value }: Sample): readonly Finding[] {
  if (metric !== METRIC || !Number.isFinite(value) || value <= 0 || admit(state.order, step) === "late") return [];
  state.seen++;
  const back = comeBack(rules, state, step, value).map((slow) => finding(context, rules, slow));
  return [...back, ...judge(context, rules, state, { metric, step, timeMs, value })];
}

/** What was usual before is usual again by the rule by which a slow stretch ends: the first save that is. */
function comeBack(rules: Rules, state: SaveState, step: number, value: number): readonly Slow[] {
  const isBack = ({ usual }: Slow): boolean => value <= rules.ratio * usual;
  const back = state.taken.filter(isBack);
  state.taken = state.taken.filter((slow) => !isBack(slow));
  return back.map((slow) => ({ ...slow, endStep: step, isTakenAsUsual: false }));
}

function judge(context: MonitorContext, rules: Rules, state: SaveState, { step, timeMs, value }: Sample): readonly Finding[] {
  const lastStep = state.lastStep;
  state.lastStep = step;
  const usual = state.open?.usual ?? (state.history.length >= rules.fewest ? median(state.history) : null);
  if (usual === null || value <= rules.ratio * usual) return usualSave(context, rules, state, step, value);
  state.open ??= begin(step, timeMs, value, usual, lastStep);
  const { open } = state;
  open.saves.push(value);
  if (value > open.peak) Object.assign(open, { peak: value, peakStep: step });
  if (open.saves.length === rules.in_a_row) Object.assign(open, { detectedStep: step, detectedTimeMs: timeMs });
  if (open.saves.length < rules.longest) return [finding(context, rules, open)];
  Object.assign(open, { endStep: step, isTakenAsUsual: true });
  Object.assign(state, { open: null, history: open.saves.slice(-rules.history), taken: [...state.taken, open].slice(-MOST_TAKEN) });
  return [finding(context, rules, open)];
}

function usualSave(context: MonitorContext, rules: Rules, state: SaveState, step: number, value: number): readonly Finding[] {
  state.history = [...state.history, value].slice(-rules.history);
  const { open } = state;
  if (open === null) return [];
  open.endStep = step;
  state.open = null;
  return [finding(context, rules, open)];
}

function begin(step: number, timeMs: number | null, value: number, usual: number, lastStep: number | null): Slow {
  return {
    onsetStep: step,
    onsetTimeMs: timeMs,
    onsetLowerStep: earliestStep(lastStep, step),
    detectedStep: step,
    detectedTimeMs: timeMs,
    usual,
    peakStep: step,
    peak: value,
    saves: [],
    endStep: null,
    isTakenAsUsual: false,
  };
}

function finding(context: MonitorContext, rules: Rules, open: Slow): Finding {
  const count = open.saves.length;
  const extra = open.saves.reduce((sum, value) => sum + value - open.usual, 0);
  const standing =
    open.endStep === null ? "" : open.isTakenAsUsual ? "; it has stayed so" : `; the one of step ${sayInteger(open.endStep)} was as usual`;
  const what =
    count === 1
      ? `The checkpoint of step ${sayInteger(open.onsetStep)} was saved slowly`
      : `Checkpoints from step ${sayInteger(open.onsetStep)} on were saved slowly, ${sayInteger(count)} so far`;
  return makeFinding({ id: ID, version: VERSION }, context, {
    metric: METRIC,
    severity: count >= rules.in_a_row ? "warning" : "info",
    state: open.endStep === null ? "ongoing" : open.isTakenAsUsual ? "shifted" : "recovered",
    onsetStep: open.onsetStep,
    onsetLowerStep: open.onsetLowerStep,
    onsetTimeMs: open.onsetTimeMs,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedTimeMs,
    // It is detected anew, as a warning, once there are enough in a row.
    identityStep: open.onsetStep,
    peakStep: open.peakStep,
    endStep: open.endStep,
    shape: count === 1 ? "point" : "jump",
    peakValue: open.peak,
    baselineValue: open.usual,
    levelShift: null,
    summary: `${what}: ${sayValue(open.peak)} s where ${sayValue(open.usual)} s is usual${standing}.`,
    evidence: [
      evidence(
        "for",
        `${(open.peak / open.usual).toFixed(1)} times the median of the saves before`,
        open.peak / open.usual,
        "× median",
        METRIC,
      ),
      evidence(
        "for",
        `${sayValue(extra)} s beyond the usual over ${sayInteger(count)} ${count === 1 ? "save" : "saves"}`,
        extra,
        "s",
        METRIC,
      ),
      count >= rules.in_a_row
        ? evidence("against", "More state to save, or a full save among partial ones, would look the same")
        : evidence(
            "against",
            `A single slow save is the file system's weather; ${sayInteger(rules.in_a_row)} in a row are a warning`,
            count,
            "saves",
          ),
    ],
  });
}

export const checkpointSlow = {
  id: ID,
  version: VERSION,
  title: "Checkpoint slow",
  finds: "Saves of checkpoints that take much longer than the run's own did before.",
  source: "The run's own history, for no published rule is known",
  metrics: [METRIC],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

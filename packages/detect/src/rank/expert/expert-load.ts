import { sayInteger, sayValue } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import { median } from "@trainwatch/stats";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance, RankStep } from "../contract.ts";
import { newRecentSteps, noteStep, stepAt } from "../recent-steps.ts";
import type { RecentSteps } from "../recent-steps.ts";

const PARAMETERS = [
  { name: "ratio", value: 3, unit: "largest over mean", meaning: "An expert load above this is out of balance" },
  { name: "rise", value: 1.5, unit: "× median", meaning: "A rise above the lagged median by this is a note", least: 1 },
  { name: "in_a_row", value: 20, unit: "steps", meaning: "So many steps in a row, and as many below again before it is over", most: 512 },
  { name: "window", value: 200, unit: "steps", meaning: "Length of the lagged median", least: 20, most: 2_048 },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "expert-load", version: 1, parameters: PARAMETERS } as const;
const METRIC = "expert_load_ratio";

interface Imbalance {
  readonly onsetStep: number;
  readonly onsetTimeMs: number | null;
  readonly onsetLowerStep: number;
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  readonly baseline: number;
  peak: number;
  peakStep: number;
  /** Whether it ever was above the absolute limit. */
  above: boolean;
  /** The rank whose experts are furthest out of balance at the peak, and by how much. */
  worstRank: number;
  worst: number;
  lastStep: number;
  calm: number;
  steps: number;
  over: boolean;
}

interface State {
  recent: RecentSteps;
  /** Newest last: the median over ranks at each step. */
  values: number[];
  seen: number;
  high: number;
  open: Imbalance | null;
}

const fresh = (): State => ({ recent: newRecentSteps(), values: [], seen: 0, high: 0, open: null });

interface Watching {
  readonly context: RankContext;
  readonly rules: ReturnType<typeof parametersOf<typeof PARAMETERS>>;
  readonly state: State;
}

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  return {
    observe: (step) => (step.metric === METRIC ? observe({ context, rules, state }, step) : []),
    place: () => {},
    finish: () => [],
    state: () => storeState(DETECTOR.version, state, overrides),
    coverage: () => (state.seen === 0 ? { sees: false, why: "no expert load is logged by rank" } : { sees: true, why: null }),
  };
}

function observe(watching: Watching, step: RankStep): readonly Finding[] {
  const { rules, state } = watching;
  const finite = step.values.filter((value) => Number.isFinite(value));
  if (finite.length === 0) return [];
  const value = median(finite);
  state.seen++;
  noteStep(state.recent, step.step, step.timeMs);
  const lagged = state.values.slice(0, Math.max(0, state.values.length - rules.in_a_row));
  const baseline = state.open?.baseline ?? (lagged.length < rules.in_a_row ? Number.POSITIVE_INFINITY : median(lagged));
  const isHigh = value > rules.ratio || value > rules.rise * baseline;
  // What is out of balance is no baseline.
  if (state.open === null) state.values = [...state.values, value].slice(-(rules.window + rules.in_a_row));
  state.high = isHigh ? state.high + 1 : 0;
  if (state.open !== null) return follow(watching, state.open, step, value, isHigh);
  if (state.high < rules.in_a_row) return [];
  const onset = stepAt(state.recent, state.high);
  const [worstRank, worst] = worstOf(step);
  state.open = {
    onsetStep: onset.step,
    onsetTimeMs: onset.timeMs,
    onsetLowerStep: onset.earliest,
    detectedStep: step.step,
    detectedTimeMs: step.timeMs,
    baseline: Number.isFinite(baseline) ? baseline : 1,
    peak: value,
    peakStep: step.step,
    above: value > rules.ratio,
    worstRank,
    worst,
    lastStep: step.step,
    calm: 0,
    steps: state.high,
    over: false,
  };
  return [finding(watching, state.open)];
}

function worstOf(step: RankStep): readonly [rank: number, value: number] {
  let at = 0;
  let worst = Number.NEGATIVE_INFINITY;
  for (const [rank, value] of step.values.entries()) if (Number.isFinite(value) && value > worst) [at, worst] = [rank, value];
  return [at, worst];
}

function follow(watching: Watching, open: Imbalance, step: RankStep, value: number, isHigh: boolean): readonly Finding[] {
  const { rules, state } = watching;
  const wasAbove = open.above;
  open.steps++;
  open.calm = isHigh ? 0 : open.calm + 1;
  if (isHigh) open.lastStep = step.step;
  open.above ||= value > rules.ratio;
  if (value > open.peak) {
    const [worstRank, worst] = worstOf(step);
    Object.assign(open, { peak: value, peakStep: step.step, worstRank, worst });
  }
  open.over = open.calm >= rules.in_a_row;
  if (open.over) state.open = null;
  return open.over || open.above !== wasAbove ? [finding(watching, open)] : [];
}

function finding({ context, rules }: Watching, open: Imbalance): Finding {
  const since = `since step ${sayInteger(open.onsetStep)}`;
  return makeFinding(DETECTOR, context, {
    metric: METRIC,
    severity: open.above ? "warning" : "info",
    state: open.over ? "recovered" : "ongoing",
    onsetStep: open.onsetStep,
    onsetLowerStep: open.onsetLowerStep,
    onsetTimeMs: open.onsetTimeMs,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedTimeMs,
    peakStep: open.peakStep,
    endStep: open.over ? open.lastStep : null,
    shape: "ramp",
    peakValue: open.peak,
    baselineValue: open.baseline,
    levelShift: null,
    summary: `The busiest expert has ${sayValue(open.peak)} times the mean load ${since}, where it had ${sayValue(open.baseline)}${open.over ? `, until step ${sayInteger(open.lastStep)}` : ""}.`,
    evidence: [
      evidence(
        "for",
        `Above ${rules.ratio}, or ${rules.rise} times its lagged median, on ${rules.in_a_row} steps in a row`,
        open.peak,
        "×",
        METRIC,
      ),
      evidence("neutral", `Furthest out of balance on rank ${open.worstRank}: ${sayValue(open.worst)}`, open.worst, "×", METRIC),
      evidence("against", "Routers are often out of balance in the first steps and after a change of data: it may come back by itself"),
      ...(open.over
        ? [evidence("against", `In balance again since step ${sayInteger(open.lastStep + 1)}`, open.lastStep + 1, "step")]
        : []),
    ],
  });
}

export const expertLoad = {
  ...DETECTOR,
  title: "Experts out of balance",
  finds: "A mixture-of-experts router that sends far more tokens to one expert than to the others, for many steps.",
  source:
    "A proposal: a balanced router stays near 1, its auxiliary loss keeps it below 2 (Fedus et al. 2022, Switch Transformer); to be checked on labelled runs",
  metrics: [METRIC],
  create,
} satisfies RankDetectorEntry;

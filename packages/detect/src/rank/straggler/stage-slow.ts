import { sayInteger, sayValue } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import { MAD_TO_SIGMA, median, medianAbsoluteDeviation } from "@trainwatch/stats";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { newRecentSteps, noteStep, stepAt } from "../recent-steps.ts";
import type { RecentSteps } from "../recent-steps.ts";
import { computeOf, createStepBundler, NO_BUNDLES } from "./step-bundle.ts";
import type { StepBundle, StoredBundles } from "./step-bundle.ts";

const PARAMETERS = [
  { name: "ratio", value: 1.1, unit: "× other stages", meaning: "Compute of a stage above this is slow", least: 1.01 },
  { name: "in_a_row", value: 5, unit: "steps", meaning: "Slow steps in a row", most: 64 },
  { name: "of", value: 10, unit: "steps", meaning: "Or the median of so many", least: 2, most: 64 },
  { name: "deviations", value: 4, unit: "σ", meaning: "And above so many robust deviations, where the ratio scatters", least: 0 },
  { name: "back", value: 1.05, unit: "× other stages", meaning: "A median below this is back", least: 1 },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "stage-slow", version: 1, parameters: PARAMETERS } as const;
const METRICS = ["compute_time", "forward_time", "backward_time"] as const;

interface SlowStage {
  readonly onsetStep: number;
  readonly onsetTimeMs: number | null;
  readonly onsetLowerStep: number;
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  /** From the first steps on: then it is how the model is cut, and no fault began. */
  readonly fromStart: boolean;
  ratio: number;
  peakStep: number;
  peakSeconds: number;
  otherSeconds: number;
  steps: number;
  lastSlowStep: number;
  over: boolean;
}

interface Stage {
  readonly pp: number;
  /** Newest ratios, newest last. */
  ratios: number[];
  run: number;
  open: SlowStage | null;
}

interface State {
  bundles: StoredBundles;
  recent: RecentSteps;
  seen: number;
  stages: Stage[];
}

const fresh = (): State => ({ bundles: NO_BUNDLES, recent: newRecentSteps(), seen: 0, stages: [] });

/** Ratios whose scatter widens the limit; and so many are needed before one is judged. */
const SCATTER_OVER = 50;

interface Watching {
  readonly context: RankContext;
  readonly rules: ReturnType<typeof parametersOf<typeof PARAMETERS>>;
  readonly layout: RankLayout;
  readonly state: State;
}

function create(context: RankContext, stored?: unknown): RankDetectorInstance {
  const rules = parametersOf(DETECTOR, context);
  const overrides = overridesOf(DETECTOR, context);
  const layout = createRankLayout(context.placements, false);
  const state = restoreState(stored, DETECTOR.version, fresh, overrides);
  const bundler = createStepBundler(METRICS, state.bundles);
  return {
    observe: (step) => bundler.take(step).flatMap((bundle) => observe({ context, rules, layout, state }, bundle)),
    place: (placements) => layout.place(placements),
    finish: () => [],
    state: () => storeState(DETECTOR.version, { ...state, bundles: bundler.pack() }, overrides),
    coverage() {
      if (state.recent.steps.length === 0) return { sees: false, why: "no compute time is logged by rank" };
      return state.seen === 0 ? { sees: false, why: "no layout with two pipeline stages or more is told" } : { sees: true, why: null };
    },
  };
}

function observe(watching: Watching, bundle: StepBundle): readonly Finding[] {
  const { rules, layout, state } = watching;
  const seconds = computeOf(bundle);
  if (seconds === null) return [];
  noteStep(state.recent, bundle.step, bundle.timeMs);
  const medians = stageMedians(layout, seconds);
  if (medians.size < 2) return [];
  state.seen++;
  const last = Math.max(...medians.keys());
  return [...medians].flatMap(([pp, own]) => {
    const others = median([...medians].filter(([one]) => one !== pp).map(([, value]) => value));
    let stage = state.stages.find((one) => one.pp === pp);
    if (stage === undefined) {
      stage = { pp, ratios: [], run: 0, open: null };
      state.stages.push(stage);
    }
    const open = judge(stage, rules, state, bundle, own, others);
    return open === null ? [] : [finding(watching, stage.pp, pp === last, open)];
  });
}

function stageMedians(layout: RankLayout, seconds: Float64Array): ReadonlyMap<number, number> {
  const byStage = new Map<number, number[]>();
  for (const [rank, { pp }] of layout.placements()) {
    const value = seconds[rank] ?? Number.NaN;
    if (pp === null || !(value > 0) || !Number.isFinite(value)) continue;
    const held = byStage.get(pp);
    if (held === undefined) byStage.set(pp, [value]);
    else held.push(value);
  }
  return new Map([...byStage].map(([pp, values]) => [pp, median(values)]));
}

/** The stretch where it is new or has changed. */
function judge(stage: Stage, rules: Watching["rules"], state: State, bundle: StepBundle, own: number, others: number): SlowStage | null {
  const ratio = own / others;
  const scatter = stage.ratios.length < rules.of ? 0 : MAD_TO_SIGMA * medianAbsoluteDeviation(stage.ratios);
  const limit = Math.max(rules.ratio, 1 + rules.deviations * scatter);
  stage.ratios = [...stage.ratios, ratio].slice(-SCATTER_OVER);
  const newest = median(stage.ratios.slice(-rules.of));
  if (stage.open !== null) {
    const open = follow(stage.open, rules, bundle, { ratio, newest, own, others });
    if (stage.open.over) Object.assign(stage, { open: null, run: 0 });
    return open;
  }
  stage.run = ratio > limit ? stage.run + 1 : 0;
  const isFull = stage.ratios.length >= rules.of;
  if (!isFull || (stage.run < rules.in_a_row && newest <= limit)) return null;
  const slow = stage.ratios.slice(-Math.max(stage.run, rules.of)).findIndex((one) => one > limit);
  const age = stage.run >= rules.in_a_row ? stage.run : Math.min(rules.of, stage.ratios.length) - Math.max(0, slow);
  const fromStart = stage.ratios.length <= rules.of && age >= rules.in_a_row;
  const onset = stepAt(state.recent, age);
  stage.open = {
    onsetStep: onset.step,
    onsetTimeMs: onset.timeMs,
    onsetLowerStep: fromStart ? 0 : onset.earliest,
    detectedStep: bundle.step,
    detectedTimeMs: bundle.timeMs,
    fromStart,
    ratio: Math.max(ratio, newest),
    peakStep: bundle.step,
    peakSeconds: own,
    otherSeconds: others,
    steps: age,
    lastSlowStep: bundle.step,
    over: false,
  };
  return stage.open;
}

interface Now {
  readonly ratio: number;
  readonly newest: number;
  readonly own: number;
  readonly others: number;
}

function follow(open: SlowStage, rules: Watching["rules"], { step }: StepBundle, { ratio, newest, own, others }: Now): SlowStage | null {
  open.steps++;
  if (ratio > rules.ratio) open.lastSlowStep = step;
  if (newest < rules.back) {
    open.over = true;
    return open;
  }
  const isHigher = newest > 1.1 * open.ratio;
  if (isHigher) Object.assign(open, { ratio: newest, peakStep: step, peakSeconds: own, otherSeconds: others });
  return isHigher ? open : null;
}

function finding({ context, rules }: Watching, pp: number, isLast: boolean, open: SlowStage): Finding {
  const percent = Math.round(100 * (open.ratio - 1));
  const name = isLast ? `The last pipeline stage (${pp})` : `Pipeline stage ${pp}`;
  const since = open.fromStart ? "from the first steps on" : `since step ${sayInteger(open.onsetStep)}`;
  return makeFinding(DETECTOR, context, {
    metric: "compute_time",
    subject: { kind: "stage", id: String(pp) },
    severity: "warning",
    state: open.over ? "recovered" : "ongoing",
    onsetStep: open.onsetStep,
    onsetLowerStep: Math.min(open.onsetLowerStep, open.onsetStep),
    onsetTimeMs: open.onsetTimeMs,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedTimeMs,
    peakStep: open.peakStep,
    endStep: open.over ? open.lastSlowStep : null,
    shape: "jump",
    peakValue: open.peakSeconds,
    baselineValue: open.otherSeconds,
    levelShift: null,
    summary: `${name} computes ${percent} % longer than the others ${since}${open.over ? `, until step ${sayInteger(open.lastSlowStep)}` : ""}: the pipeline waits for it.`,
    evidence: [
      evidence(
        "for",
        `Median of its ranks ${sayValue(open.peakSeconds)} s, of the other stages ${sayValue(open.otherSeconds)} s`,
        open.ratio,
        "×",
        "compute_time",
      ),
      evidence(
        "for",
        `${rules.in_a_row} steps in a row, or the median of ${rules.of}, above ${rules.ratio}`,
        open.ratio,
        "×",
        "detection.md C.4",
      ),
      open.fromStart
        ? evidence("against", "It is so from the first steps on: how the layers are cut, not a fault that began")
        : evidence("against", "Another cut of the layers or a longer vocabulary would look the same; no device of it stands out"),
      ...(open.over ? [evidence("against", "The stages are alike again", open.lastSlowStep, "step")] : []),
    ],
    facts: isLast ? [{ fact: "last-stage-slow", value: open.ratio }] : [],
  });
}

export const stageSlow = {
  ...DETECTOR,
  title: "Slow pipeline stage",
  finds: "A pipeline stage, most often the last, that computes longer than the others, so that all of them wait for it.",
  source: "detection.md C.4 and finding 7: the last stage explains 39.3 % of ByteDance's slow jobs, a worker 1.7 %",
  metrics: METRICS,
  create,
} satisfies RankDetectorEntry;

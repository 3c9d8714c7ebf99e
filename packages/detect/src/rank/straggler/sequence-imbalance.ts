import { sayInteger, sayValue } from "@trainwatch/core";
import type { Finding } from "@trainwatch/core";
import { median, medianInPlace } from "@trainwatch/stats";
import type { DetectorParameter } from "../../contract.ts";
import { evidence, makeFinding } from "../../finding/make-finding.ts";
import { restoreState, storeState } from "../../json-state.ts";
import { overridesOf, parametersOf } from "../../parameters.ts";
import { LEAST_PEERS } from "../cohorts.ts";
import type { Cohorts } from "../cohorts.ts";
import type { RankContext, RankDetectorEntry, RankDetectorInstance } from "../contract.ts";
import { createRankLayout } from "../rank-layout.ts";
import type { RankLayout } from "../rank-layout.ts";
import { newRecentSteps, noteStep, stepAt } from "../recent-steps.ts";
import type { RecentSteps } from "../recent-steps.ts";
import { addPairs, lineOf, newLineSums } from "./load-fit.ts";
import type { LineSums } from "./load-fit.ts";
import { computeOf, createStepBundler, NO_BUNDLES } from "./step-bundle.ts";
import type { StepBundle, StoredBundles } from "./step-bundle.ts";

const PARAMETERS = [
  {
    name: "ratio",
    value: 1.1,
    unit: "largest over median",
    meaning: "The slowest rank of a cohort above this costs the others their time",
    least: 1.01,
  },
  { name: "of", value: 10, unit: "steps", meaning: "Steps whose median is judged", least: 2, most: 64 },
  { name: "back", value: 1.05, unit: "largest over median", meaning: "A median below this is back", least: 1 },
  { name: "correlation", value: 0.9, unit: "", meaning: "From this on the times are sequence lengths", least: 0.5, most: 1 },
] as const satisfies readonly DetectorParameter[];

const DETECTOR = { id: "sequence-imbalance", version: 1, parameters: PARAMETERS } as const;
const METRICS = ["compute_time", "forward_time", "backward_time", "sequence_load"] as const;

interface Imbalance {
  readonly onsetStep: number;
  readonly onsetTimeMs: number | null;
  readonly onsetLowerStep: number;
  readonly detectedStep: number;
  readonly detectedTimeMs: number | null;
  correlation: number;
  ratio: number;
  peakStep: number;
  longest: number;
  middle: number;
  lastStep: number;
  over: boolean;
}

interface State {
  ranks: number;
  bundles: StoredBundles;
  recent: RecentSteps;
  load: LineSums;
  passes: LineSums;
  /** Newest last. */
  ratios: number[];
  explained: "sequence_load" | "forward_time, backward_time" | null;
  open: Imbalance | null;
}

const fresh = (): State => ({
  ranks: 0,
  bundles: NO_BUNDLES,
  recent: newRecentSteps(),
  load: newLineSums(),
  passes: newLineSums(),
  ratios: [],
  explained: null,
  open: null,
});

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
      return state.explained === null
        ? { sees: false, why: "neither a sequence load nor forward and backward times are logged by rank" }
        : { sees: true, why: null };
    },
  };
}

function observe(watching: Watching, bundle: StepBundle): readonly Finding[] {
  const { rules, layout, state } = watching;
  const seconds = computeOf(bundle);
  if (seconds === null) return [];
  noteStep(state.recent, bundle.step, bundle.timeMs);
  state.ranks = Math.max(state.ranks, seconds.length);
  const correlation = correlate(state, bundle, seconds);
  if (correlation === null) return [];
  const spread = usualSpread(seconds, layout.cohorts(state.ranks));
  if (spread === null) return [];
  state.ratios = [...state.ratios, spread.longest / spread.middle].slice(-rules.of);
  if (state.ratios.length < rules.of) return [];
  const ratio = median(state.ratios);
  if (state.open !== null) return follow(watching, state.open, bundle, { ...spread, ratio, correlation });
  if (ratio <= rules.ratio || correlation < rules.correlation) return [];
  state.open = opened(watching, bundle, { ...spread, ratio, correlation }, rules.ratio);
  return [finding(watching, state.open)];
}

/** @param above the level that was passed: the onset is the first step of the window beyond it */
function opened({ rules, state }: Watching, bundle: StepBundle, now: Costs, above: number): Imbalance {
  const first = state.ratios.findIndex((one) => one > above);
  const onset = stepAt(state.recent, rules.of - Math.max(0, first));
  return {
    ...now,
    onsetStep: onset.step,
    onsetTimeMs: onset.timeMs,
    onsetLowerStep: onset.earliest,
    detectedStep: bundle.step,
    detectedTimeMs: bundle.timeMs,
    peakStep: bundle.step,
    lastStep: bundle.step,
    over: false,
  };
}

/** Of compute time with the sequence load; where none is logged, of forward with backward time, each less the step's median. */
function correlate(state: State, bundle: StepBundle, seconds: Float64Array): number | null {
  const load = bundle.column("sequence_load");
  if (load !== null) {
    state.explained = "sequence_load";
    addPairs(state.load, centred(load), centred(seconds), never);
    return lineOf(state.load)?.correlation ?? null;
  }
  const forward = bundle.column("forward_time");
  const backward = bundle.column("backward_time");
  if (forward === null || backward === null) return null;
  state.explained = "forward_time, backward_time";
  addPairs(state.passes, centred(forward), centred(backward), never);
  return lineOf(state.passes)?.correlation ?? null;
}

const never = (): boolean => false;

/** As shares of the step's median, so that steps of another length count alike. */
function centred(values: Float64Array): Float64Array {
  const finite = values.filter((value) => Number.isFinite(value));
  const middle = medianInPlace(finite, finite.length);
  return values.map((value) => value / middle - 1);
}

interface Spread {
  readonly longest: number;
  readonly middle: number;
}

interface Costs extends Spread {
  readonly ratio: number;
  readonly correlation: number;
}

/** Of the middle cohort by how far its slowest rank is above its median: sequences are those of a replica, and every cohort has all replicas. Ranks of another stage do other work. */
function usualSpread(seconds: Float64Array, { members, starts, count }: Cohorts): Spread | null {
  const spreads: Spread[] = [];
  for (let cohort = 0; cohort < count; cohort++) {
    const own: number[] = [];
    for (const rank of members.subarray(starts[cohort], starts[cohort + 1])) {
      const value = seconds[rank] ?? Number.NaN;
      if (value > 0 && Number.isFinite(value)) own.push(value);
    }
    if (own.length < LEAST_PEERS) continue;
    const column = Float64Array.from(own);
    const longest = column.reduce((high, value) => Math.max(high, value), 0);
    spreads.push({ longest, middle: medianInPlace(column, column.length) });
  }
  spreads.sort((a, b) => a.longest / a.middle - b.longest / b.middle);
  return spreads[spreads.length >> 1] ?? null;
}

/** Lengths that cost so many times as much as when they were told of are told of anew: what is slow since then is slow because of them. */
const MORE = 2;

function follow(watching: Watching, open: Imbalance, bundle: StepBundle, now: Costs): readonly Finding[] {
  const { rules, state } = watching;
  const { step } = bundle;
  const above = 1 + MORE * (open.ratio - 1);
  if (now.ratio > above && now.correlation >= rules.correlation && step - open.detectedStep > rules.of) {
    open.over = true;
    state.open = opened(watching, bundle, now, above);
    return [finding(watching, open), finding(watching, state.open)];
  }
  open.correlation = now.correlation;
  open.over = now.ratio < rules.back || now.correlation < rules.correlation / 2;
  if (!open.over) open.lastStep = step;
  const isHigher = now.ratio > 1.2 * open.ratio;
  if (isHigher) Object.assign(open, { ratio: now.ratio, peakStep: step, longest: now.longest, middle: now.middle });
  if (open.over) state.open = null;
  return open.over || isHigher ? [finding(watching, open)] : [];
}

function finding({ context, rules, state }: Watching, open: Imbalance): Finding {
  const percent = Math.round(100 * (open.ratio - 1));
  const source = state.explained ?? "sequence_load";
  return makeFinding(DETECTOR, context, {
    metric: "compute_time",
    severity: "info",
    state: open.over ? "recovered" : "ongoing",
    onsetStep: open.onsetStep,
    onsetLowerStep: open.onsetLowerStep,
    onsetTimeMs: open.onsetTimeMs,
    detectedStep: open.detectedStep,
    detectedTimeMs: open.detectedTimeMs,
    peakStep: open.peakStep,
    endStep: open.over ? open.lastStep : null,
    shape: "jump",
    peakValue: open.longest,
    baselineValue: open.middle,
    levelShift: null,
    summary: `The rank with the longest sequences computes ${percent} % longer than the median since step ${sayInteger(open.onsetStep)}${open.over ? `, until step ${sayInteger(open.lastStep)}` : ""}: the others wait for it, another one each step.`,
    evidence: [
      evidence(
        "for",
        `Correlation of ${open.correlation.toFixed(2)}: ${source === "sequence_load" ? "of compute time with the sequence load" : "of forward with backward time over ranks"}`,
        open.correlation,
        "correlation",
        source,
      ),
      evidence(
        "for",
        `Median of ${rules.of} steps above ${rules.ratio}; at step ${sayInteger(open.peakStep)} ${sayValue(open.longest)} s over a median of ${sayValue(open.middle)} s`,
        open.ratio,
        "×",
        "compute_time",
      ),
      evidence("against", "No device is at fault: batches packed to like loads would win the time back"),
      ...(open.over ? [evidence("against", "The ranks are alike again", open.lastStep, "step")] : []),
    ],
    facts: [{ fact: "sequence-load-correlates", value: open.correlation }],
  });
}

export const sequenceImbalance = {
  ...DETECTOR,
  title: "Sequence lengths slow the step",
  finds: "Steps that take as long as the rank with the longest sequences: a note, since no device is at fault.",
  source:
    "detection.md C.4 and finding 7: sequence lengths explain 21.4 % of ByteDance's slow jobs; a correlation of 0.9 tells them from a node",
  metrics: METRICS,
  create,
} satisfies RankDetectorEntry;

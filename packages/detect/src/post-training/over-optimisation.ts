import type { Finding, Sample } from "@trainwatch/core";
import { OVER_OPTIMISATION } from "@trainwatch/core";
import { estimateTurningPoint, hasTurned, leastSquaresTrend, normalCdf, normalQuantile } from "@trainwatch/stats";
import type { TurningPointEstimate } from "@trainwatch/stats";
import type { DetectorEntry, DetectorInstance, MonitorContext } from "../contract.ts";
import { restoreState, storeState } from "../json-state.ts";
import { overridesOf, parametersOf } from "../parameters.ts";
import { admit, newStepOrder } from "../series/step-order.ts";
import type { StepOrder } from "../series/step-order.ts";
import { POST_TRAINING_MARKS } from "./define-watch.ts";
import { heldOutDirection, newThinSeries, pushThin } from "./held-out.ts";
import type { ThinSeries } from "./held-out.ts";
import { OVER_PARAMETERS as PARAMETERS, type OverOptimisationRules } from "./over-rules.ts";
import { meanOf, pushRecent } from "./recent.ts";
import { scoreScale } from "./score-scale.ts";
import type { ScoreScale } from "./score-scale.ts";
import { turnFinding } from "./turn-finding.ts";
import type { Turn } from "./turn-finding.ts";

const VERSION = 3;

/** Of the peak's interval. */
export const PEAK_CONFIDENCE = 0.9;
/** Evaluations and rewards that are kept, thinned. */
const CAPACITY = 512;
/** Held-out scores that are judged, in the order in which they first came. */
export const WATCHED_SCORES = 16;
/** KL values before an evaluation whose mean is taken: one batch's KL is noisy. */
const KL_POINTS = 16;
/** The rule must hold at 3 of the newest 4 evaluations, and at none of them for it to be over. */
const NEWEST = 4;
const HITS = 3;
const LEAST_EVALUATIONS = 10;
/** Rewards since the peak from which a slope can be told. */
const LEAST_REWARDS = 8;

interface Judged {
  series: ThinSeries;
  /** Whether the rule held at each of the newest evaluations. */
  hits: boolean[];
  open: Turn | null;
}

interface OverState {
  isPostTraining: boolean;
  orders: Record<string, StepOrder>;
  kl: number[];
  rewards: ThinSeries;
  judged: Record<string, Judged>;
}

const fresh = (): OverState => ({ isPostTraining: false, orders: {}, kl: [], rewards: newThinSeries(), judged: {} });

function create(context: MonitorContext, stored?: unknown): DetectorInstance {
  const entry = { id: OVER_OPTIMISATION, parameters: PARAMETERS };
  const rules = parametersOf(entry, context);
  const overrides = overridesOf(entry, context);
  const state = restoreState(stored, VERSION, fresh, overrides);
  return {
    observe: (sample) => observe(context, rules, state, sample),
    finish: () =>
      Object.entries(state.judged).flatMap(([metric, { open }]) =>
        open === null ? [] : [turnFinding(VERSION, context, rules, metric, open)],
      ),
    state: () => storeState(VERSION, state, overrides),
    coverage: () => coverage(state),
  };
}

function observe(context: MonitorContext, rules: OverOptimisationRules, state: OverState, sample: Sample): readonly Finding[] {
  const { metric, step, value } = sample;
  if (POST_TRAINING_MARKS.includes(metric)) state.isPostTraining = true;
  const direction = heldOutDirection(metric);
  const isKnown = metric in state.judged || Object.keys(state.judged).length < WATCHED_SCORES;
  if (!Number.isFinite(value) || (direction === null ? !POST_TRAINING_MARKS.includes(metric) : !isKnown)) return [];
  if (admit((state.orders[metric] ??= newStepOrder()), step) === "late") return [];
  if (metric === "reward") pushThin(state.rewards, CAPACITY, step, value, null);
  else if (metric === "kl") pushRecent(state.kl, KL_POINTS, Math.max(0, value));
  else if (direction !== null) return evaluated(context, rules, state, sample, direction);
  return [];
}

function evaluated(
  context: MonitorContext,
  rules: OverOptimisationRules,
  state: OverState,
  { metric, step, timeMs, value }: Sample,
  direction: "higher" | "lower",
): readonly Finding[] {
  const judged = (state.judged[metric] ??= { series: newThinSeries(), hits: [], open: null });
  const sign = direction === "higher" ? 1 : -1;
  if (!pushThin(judged.series, CAPACITY, step, sign * value, state.kl.length === 0 ? null : meanOf(state.kl))) return [];
  if (!state.isPostTraining) return [];
  const { steps, kl } = judged.series;
  const values = judged.series.values.map((each) => sign * each);
  const scale = scoreScale(metric, values, direction);
  const estimate = estimateTurningPoint(
    { steps, values: values.map(scale.into), kl: kl.map((each) => each ?? Number.NaN) },
    { confidence: PEAK_CONFIDENCE, prompts: rules.prompts > 0 ? rules.prompts : null },
  );
  const falls = estimate !== null && hasTurned(estimate, leastOf(rules, Object.keys(state.judged).length));
  judged.hits = [...judged.hits, falls].slice(-NEWEST);
  if (judged.open !== null && !judged.hits.includes(true)) {
    const over = { ...judged.open, endStep: step };
    Object.assign(judged, { open: null, hits: [] });
    return [turnFinding(VERSION, context, rules, metric, over)];
  }
  if (estimate === null || !falls || (judged.open === null && judged.hits.filter(Boolean).length < HITS)) return [];
  const proxyZ = proxySlope(state.rewards, estimate.peakStep);
  judged.open = turnOf(judged.open ?? { detectedStep: step, detectedTimeMs: timeMs, isCritical: false }, estimate, {
    scale,
    step,
    proxyZ,
    isCritical: proxyZ !== null && proxyZ > rules.proxy_z,
    evaluations: judged.series.steps.length * judged.series.stride,
  });
  return [turnFinding(VERSION, context, rules, metric, judged.open)];
}

/** Of many scores one will fall by chance: each is asked for as much more as keeps the chance of all what it is for one (Bonferroni). */
function leastOf({ slope_z, drop }: OverOptimisationRules, scores: number): Parameters<typeof hasTurned>[1] {
  const strict = (z: number): number => (scores === 1 ? z : -normalQuantile(normalCdf(-z) / scores));
  return { slopeZ: strict(slope_z), dropZ: strict(drop) };
}

function turnOf(
  since: Pick<Turn, "detectedStep" | "detectedTimeMs" | "isCritical">,
  estimate: TurningPointEstimate,
  now: Pick<Turn, "proxyZ" | "isCritical" | "evaluations"> & { readonly scale: ScoreScale; readonly step: number },
): Turn {
  const { back, unit } = now.scale;
  return {
    detectedStep: since.detectedStep,
    detectedTimeMs: since.detectedTimeMs,
    isCritical: since.isCritical || now.isCritical,
    proxyZ: now.proxyZ,
    evaluations: now.evaluations,
    peakStep: Math.min(estimate.peakStep, since.detectedStep),
    lowStep: Math.min(estimate.lowStep, estimate.peakStep, since.detectedStep),
    highStep: estimate.highStep,
    over: estimate.over,
    peakKl: estimate.peakKl,
    peakValue: back(estimate.peakValue),
    lastValue: back(estimate.lastValue),
    lastStep: now.step,
    drop: unit * estimate.drop,
    dropError: unit * estimate.dropError,
    error: unit * estimate.error,
    promptsError: estimate.promptsError === null ? null : unit * estimate.promptsError,
    slopeZ: estimate.slopeZ,
    endStep: null,
  };
}

/** Slope of the reward since the peak over its standard error; null where too few rewards tell. */
function proxySlope({ steps, values }: ThinSeries, peakStep: number): number | null {
  const from = steps.findIndex((step) => step >= peakStep);
  if (from < 0 || steps.length - from < LEAST_REWARDS) return null;
  const { slope, slopeError } = leastSquaresTrend(steps.slice(from), values.slice(from));
  if (slopeError > 0) return Math.min(Math.max(slope / slopeError, -1e6), 1e6);
  return slope === 0 ? 0 : Math.sign(slope) * 1e6;
}

function coverage({ isPostTraining, judged }: OverState): ReturnType<DetectorInstance["coverage"]> {
  const most = Math.max(0, ...Object.values(judged).map(({ series }) => series.steps.length * series.stride));
  if (!isPostTraining) return null;
  if (most === 0) return { sees: false, why: "No held-out evaluation: over-optimisation cannot be seen" };
  if (most >= LEAST_EVALUATIONS) return { sees: true, why: null };
  return { sees: false, why: `too short: ${most} held-out evaluations, a fit needs ${LEAST_EVALUATIONS}` };
}

export const overOptimisation = {
  id: OVER_OPTIMISATION,
  version: VERSION,
  title: "Over-optimisation",
  finds: "A held-out score that has turned while training goes on: the reward is optimised past what it stands for.",
  source: "Gao, Schulman & Hilton 2023 (curve over the root of the KL); rule and operating point of detection.md F.2",
  metrics: ["reward", "kl", "eval/*"],
  parameters: PARAMETERS,
  create,
} satisfies DetectorEntry;

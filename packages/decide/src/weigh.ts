import { normalDraw, seededRandom } from "@trainwatch/stats";
import type { Random } from "@trainwatch/stats";
import type { Option, RestartOption } from "./options.ts";
import { CHECK_SEES, DRAWS, LOSS_EXPONENT, RATE_CUT_COST_STEPS, SHIFT_PERSISTS_POWER, SKIP_COST_STEPS } from "./priors.ts";
import type { Beta } from "./priors.ts";
import { recoveryOdds } from "./recovery.ts";
import type { Situation } from "./situation.ts";
import { skippedSteps } from "./skip-range.ts";

/** An option with what it costs, in steps of the run, over the draws. */
export interface Weighed<O extends Option = Option> {
  readonly option: O;
  readonly expectedSteps: number;
  /** 5th and 95th percentile of the draws. */
  readonly low: number;
  readonly high: number;
  /** Share of draws in which it is the cheapest of all. Shares of all options sum to 1. */
  readonly share: number;
}

export interface WeighInput {
  readonly situation: Situation;
  readonly options: readonly Option[];
  readonly restartSteps: number;
  readonly logEvery: number;
  readonly seed: number;
}

/** What is not known, drawn once for all options (detection.md E.7). */
interface Unknowns {
  readonly onset: number;
  readonly everRecovers: number;
  /** Quantile at which every option's re-spike chance is read: common to all, so that draws compare options and not luck. */
  readonly respikeOf: (beta: Beta) => number;
  readonly shiftSteps: number;
}

/** Weighs all options over the same 1,000 draws; cheapest expected cost first. Deterministic in its input. */
export function weigh(input: WeighInput): readonly Weighed[] {
  const random = seededRandom(input.seed);
  const costs = input.options.map((): number[] => []);
  const wins = input.options.map(() => 0);
  for (let draw = 0; draw < DRAWS; draw++) {
    const unknowns = drawUnknowns(input, random);
    const row = costsOf(input, unknowns);
    const best = row.reduce((least, cost, index) => (cost < (row[least] ?? Number.POSITIVE_INFINITY) ? index : least), 0);
    wins[best] = (wins[best] ?? 0) + 1;
    row.forEach((cost, index) => costs[index]?.push(cost));
  }
  return input.options
    .map((option, index) => summarise(option, costs[index] ?? [], (wins[index] ?? 0) / DRAWS))
    .sort((a, b) => a.expectedSteps - b.expectedSteps);
}

function summarise(option: Option, costs: readonly number[], share: number): Weighed {
  const sorted = [...costs].sort((a, b) => a - b);
  const at = (quantile: number): number => sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0;
  return { option, expectedSteps: costs.reduce((sum, cost) => sum + cost, 0) / costs.length, low: at(0.05), high: at(0.95), share };
}

function costsOf(input: WeighInput, unknowns: Unknowns): readonly number[] {
  const restarts = input.options.map((option) => (option.action === "wait" ? null : restartCost(option, input, unknowns)));
  const known = restarts.filter((cost) => cost !== null);
  // Without a checkpoint to go to, failing to recover costs the run so far.
  const fallback = known.length > 0 ? Math.min(...known) : input.situation.now + input.restartSteps;
  return input.options.map((option, index) =>
    option.action === "wait" ? waitCost(option.steps, fallback, input, unknowns) : (restarts[index] ?? fallback),
  );
}

/** N [R + T (t - s_c)] + P_bad J_bad + P_re J_re + kappa |K| (detection.md E.4), with N T = 1. */
function restartCost(
  { action, checkpoint, older, skip, respikes }: RestartOption,
  { situation, restartSteps }: WeighInput,
  unknowns: Unknowns,
): number {
  const redo = situation.now - checkpoint.step;
  // A second failure leads to the next older checkpoint: all steps since that one are run a second time.
  const second = restartSteps + (older === null ? 2 * redo : situation.now - older.step);
  const isBad = unknowns.onset <= checkpoint.step;
  const bad = isBad ? 1 - CHECK_SEES[checkpoint.verified ? "verified" : "unchecked"] : 0;
  const extra = SKIP_COST_STEPS * skippedSteps(skip) + (action === "lower-lr" ? RATE_CUT_COST_STEPS : 0);
  return restartSteps + redo + Math.min(1, bad + unknowns.respikeOf(respikes)) * second + extra;
}

/** (1 - p) (h + cheapest restart) + p J_resid. */
function waitCost(steps: number, fallback: number, { situation }: WeighInput, unknowns: Unknowns): number {
  if (situation.kind === "recovered") return 0;
  if (situation.kind === "shifted") return unknowns.shiftSteps;
  const odds = recoveryOdds(situation.now - situation.onset, steps, unknowns.everRecovers);
  return (1 - odds) * (steps + fallback);
}

function drawUnknowns({ situation, logEvery }: WeighInput, random: Random): Unknowns {
  // Half normal below the onset, its 95th percentile at the lower end; twice as wide for ramps, whose intervals cover too little (E.2).
  const width = ((situation.onset - situation.onsetLower) / 1.96) * (situation.shape === "ramp" ? 2 : 1);
  const onset = situation.onset - random() * logEvery - Math.abs(normalDraw(random)) * width;
  const everRecovers = betaDraw(random, situation.recovers);
  const rank = random();
  const relative = situation.shift === null ? 0 : Math.max(0, situation.shift.relative + situation.shift.error * normalDraw(random));
  const persists = random() ** SHIFT_PERSISTS_POWER;
  const shiftSteps = situation.now * Math.min(1, (persists * relative) / LOSS_EXPONENT);
  return { onset, everRecovers, respikeOf: (beta) => betaAtRank(beta, rank), shiftSteps };
}

/** Beta with whole counts, as a ratio of sums of exponentials. */
function betaDraw(random: Random, { yes, no }: Beta): number {
  const gamma = (count: number): number => {
    let sum = 0;
    for (let index = 0; index < count; index++) sum -= Math.log(1 - random());
    return sum;
  };
  const a = gamma(yes);
  return a / (a + gamma(no));
}

/** The value of a Beta with whole counts at a quantile, by bisection on the binomial form of its distribution. */
function betaAtRank({ yes, no }: Beta, rank: number): number {
  let [low, high] = [0, 1];
  for (let round = 0; round < 24; round++) {
    const middle = (low + high) / 2;
    if (betaShareBelow(yes, no, middle) < rank) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** P(Beta(yes, no) <= x) = P(Binomial(yes + no - 1, x) >= yes). */
function betaShareBelow(yes: number, no: number, x: number): number {
  const trials = yes + no - 1;
  let term = (1 - x) ** trials;
  let below = 0;
  for (let hits = 0; hits < yes; hits++) {
    below += term;
    term *= ((trials - hits) / (hits + 1)) * (x / (1 - x));
  }
  return 1 - below;
}

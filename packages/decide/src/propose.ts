import type { Advice } from "@trainwatch/core";
import { candidates } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";
import type { AdviceInput } from "./contract.ts";
import { priceOf, restartSteps } from "./cost.ts";
import type { Price } from "./cost.ts";
import { restartOptions, waitOptions } from "./options.ts";
import type { RestartOption } from "./options.ts";
import { LIKELY_SHARE, OUTLIER_ENDS, STRONG_SHARE } from "./priors.ts";
import { middleOdds, onsetReason, restartReasons, shiftReason, waitReasons } from "./reasons.ts";
import { rejectedCheckpoints } from "./rejected.ts";
import { readSituation } from "./situation.ts";
import type { Situation } from "./situation.ts";
import { weigh } from "./weigh.ts";
import type { Weighed } from "./weigh.ts";

/** Words for a share of draws (detection.md E.7). */
export function confidenceOf(share: number): Advice["confidence"] {
  return { word: share >= STRONG_SHARE ? "strong" : share >= LIKELY_SHARE ? "likely" : "not settled", share };
}

/**
 * What to do about an incident: wait, roll back (and skip), skip data, lower the learning rate, or investigate; what it costs, how sure, why, and
 * why not the rest. Pure and deterministic in its input; costs are in steps, and in GPU-hours where GPUs and step time are known.
 * Source: detection.md section E. Never proposes a checkpoint that is incomplete or newer than the onset's lower end less its margin.
 */
export function proposeAdvice(input: AdviceInput): Advice {
  const situation = readSituation(input);
  const price = priceOf(input);
  if (situation === null) return adviceOf(input, price, { reasons: ["No finding of the incident names a step, so nothing can be placed before it."] });
  switch (situation.kind) {
    case "not-weights":
      return adviceOf(input, price, { reasons: ["Nothing here says that the weights are harmed, so no checkpoint is better than the present one.", "Look for the cause of the slowness: the last pipeline stage and sequence lengths explain more of it than a bad node does."] });
    case "logger":
      return adviceOf(input, price, { reasons: ["What is logged cannot be trusted, so the state of the weights is not known.", "Check the logger first: log the raw loss, and turn off any filter of NaN and Inf."] });
    case "outlier":
      return adviceOf(input, price, {
        action: "wait",
        share: OUTLIER_ENDS,
        reasons: ["One step and back: 373 of 383 such outliers in 73 public runs lasted one step, none more than two.", "Most come with the data: note the batch, and see whether it has spiked in another run or attempt."],
        rejected: rejectedCheckpoints(candidates(input, situation), null, situation, price),
      });
    default:
      return weighed(input, situation, price);
  }
}

function weighed(input: AdviceInput, situation: Situation, price: Price): Advice {
  const list = candidates(input, situation);
  const restarts = restartOptions(situation, list.filter((candidate) => candidate.faults.length === 0));
  const rejectedFor = (chosen: Candidate | null): Advice["rejected"] => rejectedCheckpoints(list, chosen, situation, price);
  if (restarts.length === 0) return withoutCheckpoint(input, situation, price, rejectedFor(null));

  const ranked = rank(input, situation, restarts);
  const [best] = ranked;
  if (best === undefined) throw new TypeError("no option was weighed");
  const alternatives = alternativesTo(best, ranked, price, situation);
  if (isWait(best)) {
    const rival = ranked.find(isRestart) ?? null;
    return adviceOf(input, price, {
      action: "wait",
      waitUntilStep: situation.kind === "recovered" || situation.kind === "shifted" ? null : situation.now + (best.option.action === "wait" ? best.option.steps : 0),
      share: best.share,
      reasons: waitReasons(input, situation, best, rival, price),
      rejected: rejectedFor(null),
      alternatives,
    });
  }
  if (!isRestart(best)) throw new TypeError("an option is a wait or a restart");
  const { checkpoint, skip, action } = best.option;
  const stateReason = situation.kind === "non-finite" ? ["Loss or gradient norm is not finite now: waiting cannot bring the weights back."] : situation.kind === "shifted" ? [shiftReason(situation)] : [];
  return adviceOf(input, price, {
    action,
    checkpointStep: checkpoint.step,
    skipFromStep: skip?.from ?? null,
    skipToStep: skip?.to ?? null,
    lostSteps: situation.now - checkpoint.step,
    share: best.share,
    reasons: [...stateReason, ...restartReasons(input, situation, best, price)],
    rejected: rejectedFor(checkpoint),
    alternatives,
  });
}

/** The best time to wait is settled first; a share split over three waits would understate waiting. */
function rank(input: AdviceInput, situation: Situation, restarts: readonly RestartOption[]): readonly Weighed[] {
  const base = { situation, restartSteps: restartSteps(input.stepTimeS), logEvery: input.logEvery, seed: input.seed };
  if (situation.kind === "non-finite") return weigh({ ...base, options: restarts });
  const waits = weigh({ ...base, options: [...waitOptions(input.logEvery), ...restarts] }).filter(isWait);
  const wait = waits[0]?.option;
  return weigh({ ...base, options: wait === undefined ? restarts : [wait, ...restarts] });
}

function withoutCheckpoint(input: AdviceInput, situation: Situation, price: Price, rejected: Advice["rejected"]): Advice {
  const known = input.checkpoints.length > 0 || input.checkpointEvery !== null;
  const why = known
    ? "No complete checkpoint lies before the onset and its margin."
    : "No checkpoint is known: the log names none. Say how often one is saved with --checkpoint-every N (or `checkpointEvery` in the run's metadata), or push them.";
  if (situation.kind === "recovered") {
    return adviceOf(input, price, { action: "wait", share: 1, reasons: ["The fault is over; the weights train on at their old level.", why], rejected });
  }
  const ahead = Math.max(100, 8 * input.logEvery);
  const odds = situation.kind === "non-finite" || situation.kind === "shifted" ? 0 : middleOdds(situation, ahead);
  if (odds >= 0.5) {
    const reason = `${Math.round(100 * odds)} % of such spikes are back within ${ahead} more steps.`;
    return adviceOf(input, price, { action: "wait", waitUntilStep: situation.now + ahead, share: odds, reasons: [reason, why], rejected });
  }
  const reasons = [...(situation.kind === "non-finite" ? ["Loss or gradient norm is not finite now: every further step is lost."] : situation.kind === "shifted" ? [shiftReason(situation)] : []), why, onsetReason(input, situation)];
  return adviceOf(input, price, { share: 1 - odds, reasons, rejected });
}

function isWait(weighedOption: Weighed): boolean {
  return weighedOption.option.action === "wait";
}

function isRestart(weighedOption: Weighed): weighedOption is Weighed<RestartOption> {
  return weighedOption.option.action !== "wait";
}

/** The cheapest of each other action, and a second checkpoint of the same one. */
function alternativesTo(best: Weighed, ranked: readonly Weighed[], price: Price, situation: Situation): Advice["alternatives"] {
  const seen = new Set<string>();
  const others = ranked.filter((item) => {
    if (item === best || seen.has(item.option.action)) return false;
    seen.add(item.option.action);
    return true;
  });
  const list: Advice["alternatives"] = others.map((item) => ({
    action: item.option.action,
    checkpointStep: isRestart(item) ? item.option.checkpoint.step : null,
    expectedGpuHours: price.gpuHours(item.expectedSteps),
    expectedSteps: Math.round(item.expectedSteps),
    why: `expected to cost ${price.say(item.expectedSteps - best.expectedSteps)} more; cheapest in ${Math.round(100 * item.share)} % of draws`,
  }));
  if (situation.kind === "non-finite") list.push({ action: "wait", checkpointStep: null, expectedGpuHours: null, expectedSteps: null, why: "never on weights that are not finite" });
  return list;
}

type Verdict = Partial<Pick<Advice, "action" | "checkpointStep" | "skipFromStep" | "skipToStep" | "waitUntilStep" | "rejected" | "alternatives">> & {
  readonly lostSteps?: number;
  readonly share?: number;
  readonly reasons: readonly string[];
};

function adviceOf(input: AdviceInput, price: Price, verdict: Verdict): Advice {
  const lostSteps = verdict.lostSteps ?? 0;
  const alternatives = verdict.alternatives ?? [];
  const hasCosts = lostSteps > 0 || alternatives.length > 0;
  return {
    action: verdict.action ?? "investigate",
    checkpointStep: verdict.checkpointStep ?? null,
    skipFromStep: verdict.skipFromStep ?? null,
    skipToStep: verdict.skipToStep ?? null,
    subjects: [],
    waitUntilStep: verdict.waitUntilStep ?? null,
    lostSteps,
    lostGpuHours: lostSteps === 0 ? 0 : price.gpuHours(lostSteps),
    costUnknown: hasCosts ? price.unknown : null,
    confidence: confidenceOf(verdict.share ?? 1),
    reasons: [...verdict.reasons],
    rejected: verdict.rejected ?? [],
    alternatives,
    attempt: input.attempt,
    findingIds: input.findings.map((finding) => finding.id),
  };
}

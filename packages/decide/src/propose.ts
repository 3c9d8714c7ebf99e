import type { Advice } from "@trainwatch/core";
import { alternativesTo, isRestart, isWait } from "./alternatives.ts";
import { candidates } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";
import type { AdviceInput } from "./contract.ts";
import { priceOf, restartSteps } from "./cost.ts";
import type { Price } from "./cost.ts";
import { restartOptions, waitOptions } from "./options.ts";
import type { RestartOption } from "./options.ts";
import { OUTLIER_ENDS } from "./priors.ts";
import { onsetReason, restartReasons, shiftReason, waitReasons } from "./reasons.ts";
import { rejectedCheckpoints } from "./rejected.ts";
import { readSituation } from "./situation.ts";
import type { Situation } from "./situation.ts";
import { adviceOf } from "./verdict.ts";
import { weigh } from "./weigh.ts";
import type { Weighed } from "./weigh.ts";
import { withoutCheckpoint } from "./without-checkpoint.ts";

/**
 * What to do about an incident: wait, roll back (and skip), skip data, lower the learning rate, or investigate; what it costs, how sure, why, and
 * why not the rest. Pure and deterministic in its input; costs are in steps, and in GPU-hours where GPUs and step time are known.
 * Source: detection.md section E. Never proposes a checkpoint that is incomplete or newer than the onset's lower end less its margin.
 */
export function proposeAdvice(input: AdviceInput): Advice {
  const situation = readSituation(input);
  const price = priceOf(input);
  if (situation === null)
    return adviceOf(input, price, { reasons: ["No finding of the incident names a step, so nothing can be placed before it."] });
  switch (situation.kind) {
    case "not-weights":
      return adviceOf(input, price, {
        reasons: [
          "Nothing here says that the weights are harmed, so no checkpoint is better than the present one.",
          "Look for the cause of the slowness: the last pipeline stage and sequence lengths explain more of it than a bad node does.",
        ],
      });
    case "logger":
      return adviceOf(input, price, {
        reasons: [
          "What is logged cannot be trusted, so the state of the weights is not known.",
          "Check the logger first: log the raw loss, and turn off any filter of NaN and Inf.",
        ],
      });
    case "norm-alone":
      return adviceOf(input, price, {
        reasons: [
          "Only the gradient or update norm has moved; the loss has not followed, so the weights are not known to be harmed.",
          "Compare learning rate, batch size and data mix at the onset with what was planned; a loss that follows turns this into another proposal.",
          onsetReason(input, situation),
        ],
      });
    case "outlier":
      return adviceOf(input, price, {
        action: "wait",
        share: OUTLIER_ENDS,
        reasons: [
          "One step and back: 373 of 383 such outliers in 73 public runs lasted one step, none more than two.",
          "Most come with the data: note the batch, and see whether it has spiked in another run or attempt.",
        ],
        rejected: rejectedCheckpoints(candidates(input, situation), null, situation, price),
      });
    default:
      return weighed(input, situation, price);
  }
}

function weighed(input: AdviceInput, situation: Situation, price: Price): Advice {
  const list = candidates(input, situation);
  const restarts = restartOptions(
    situation,
    list.filter((candidate) => candidate.faults.length === 0),
  );
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
      waitUntilStep:
        situation.kind === "recovered" || situation.kind === "shifted"
          ? null
          : situation.now + (best.option.action === "wait" ? best.option.steps : 0),
      share: best.share,
      reasons: waitReasons(input, situation, best, rival, price),
      rejected: rejectedFor(null),
      alternatives,
    });
  }
  if (!isRestart(best)) throw new TypeError("an option is a wait or a restart");
  const { checkpoint, skip, action } = best.option;
  const stateReason =
    situation.kind === "non-finite"
      ? ["Loss or gradient norm is not finite now: waiting cannot bring the weights back."]
      : situation.kind === "shifted"
        ? [shiftReason(situation)]
        : [];
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

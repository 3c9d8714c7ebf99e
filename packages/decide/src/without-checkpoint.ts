import { sayInteger } from "@trainwatch/core";
import type { Advice } from "@trainwatch/core";
import type { AdviceInput } from "./contract.ts";
import type { Price } from "./cost.ts";
import { middleOdds, onsetReason, shiftReason } from "./reasons.ts";
import type { Situation } from "./situation.ts";
import { adviceOf } from "./verdict.ts";

/** Steps to look ahead where there is no restart to compare waiting with. */
const AHEAD = { steps: 100, samples: 8 } as const;

/** What to do where no checkpoint may be proposed: wait while that is likelier than not to help, else look for one. */
export function withoutCheckpoint(input: AdviceInput, situation: Situation, price: Price, rejected: Advice["rejected"]): Advice {
  const known = input.checkpoints.length > 0 || input.checkpointEvery !== null;
  const why = known
    ? "No complete checkpoint lies before the onset and its margin."
    : "No checkpoint is known: the log names none. Say how often one is saved with --checkpoint-every N (or `checkpointEvery` in the run's metadata), or push them.";
  if (situation.kind === "recovered") {
    return adviceOf(input, price, {
      action: "wait",
      share: 1,
      reasons: ["The fault is over; the weights train on at their old level."],
      rejected,
    });
  }
  const ahead = Math.max(AHEAD.steps, AHEAD.samples * input.logEvery);
  const odds = situation.kind === "non-finite" || situation.kind === "shifted" ? 0 : middleOdds(situation, ahead);
  if (odds >= 0.5) {
    const reason = `${Math.round(100 * odds)} % of such spikes are back within ${sayInteger(ahead)} more steps.`;
    return adviceOf(input, price, { action: "wait", waitUntilStep: situation.now + ahead, share: odds, reasons: [reason, why], rejected });
  }
  const reasons = [
    ...(situation.kind === "non-finite"
      ? ["Loss or gradient norm is not finite now: every further step is lost."]
      : situation.kind === "shifted"
        ? [shiftReason(situation)]
        : []),
    why,
    onsetReason(input, situation),
  ];
  return adviceOf(input, price, { reasons, rejected });
}

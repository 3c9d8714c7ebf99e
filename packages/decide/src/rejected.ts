import { sayInteger } from "@trainwatch/core";
import type { Candidate } from "./candidates.ts";
import type { Price } from "./cost.ts";
import { FULL_ROLLBACK_STEPS } from "./priors.ts";
import type { Situation } from "./situation.ts";

/** A page and a terminal show so many; older ones say nothing new. */
const MOST_REJECTED = 20;

/** Why each other checkpoint is not gone back to, newest first. `chosen` is null where nothing is. */
export function rejectedCheckpoints(
  list: readonly Candidate[],
  chosen: Candidate | null,
  situation: Pick<Situation, "now" | "onset">,
  price: Price,
): { step: number; why: string }[] {
  return list
    .filter((candidate) => candidate.step !== chosen?.step)
    .slice(0, MOST_REJECTED)
    .map((candidate) => ({ step: candidate.step, why: whyNot(candidate, chosen, situation, price) }));
}

function whyNot(candidate: Candidate, chosen: Candidate | null, situation: Pick<Situation, "now" | "onset">, price: Price): string {
  if (candidate.faults.length > 0) return candidate.faults.join("; ");
  const lost = situation.now - candidate.step;
  if (chosen === null) return `not gone back to now: it would throw away ${price.say(lost)}`;
  if (candidate.step < chosen.step) return `older than needed: costs ${price.say(chosen.step - candidate.step)} more`;
  const before = situation.onset - candidate.step;
  return `only ${sayInteger(before)} steps before the onset: a rollback of under ${sayInteger(FULL_ROLLBACK_STEPS)} often meets the fault again`;
}

import { sayInteger } from "@trainwatch/core";
import { marginSteps, newestSafeStep } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";
import type { AdviceInput } from "./contract.ts";
import type { Price } from "./cost.ts";
import type { RestartOption } from "./options.ts";
import { recoveryOdds } from "./recovery.ts";
import type { Situation } from "./situation.ts";
import type { Suspicion } from "./suspicion.ts";
import { skippedSteps } from "./skip-range.ts";
import type { Weighed } from "./weigh.ts";

/** How the one question that decides is put: was this step corrupted (detection.md B.6). */
export function replayReason(situation: Situation, suspicion: Suspicion): readonly string[] {
  const away = suspicion.subjects.length === 0 ? "other nodes" : "nodes other than the suspect's";
  return [
    `Replay step ${sayInteger(situation.onset)} on ${away}: if it disagrees the step was corrupted, if it agrees look to the data and the optimizer.`,
  ];
}

/** Where to go back to when the hardware has harmed the weights, and how far that can be trusted. */
export function corruptionReasons(input: AdviceInput, situation: Situation, checkpoint: Candidate | null): readonly string[] {
  const where =
    checkpoint === null
      ? ["No complete checkpoint lies before the onset and its margin: the weights since then cannot be trusted."]
      : [checkpointReason(input, checkpoint), "Its data are not skipped: they were innocent."];
  return [
    onsetReason(input, situation),
    ...where,
    "Corruption may be older than what was seen of it: before the checkpoint is trusted, compare its replica hashes, replay its last step elsewhere and look at its evaluation (detection.md E.3).",
  ];
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** P(recovers within the next `ahead` steps), at the middle of the prior. */
export function middleOdds(situation: Situation, ahead: number): number {
  const { yes, no } = situation.recovers;
  return recoveryOdds(situation.now - situation.onset, ahead, yes / (yes + no));
}

export function onsetReason(input: AdviceInput, situation: Situation): string {
  const margin = marginSteps(situation, input.logEvery);
  const safe = newestSafeStep(situation, input.logEvery);
  const first = situation.findings[0];
  const where = first === undefined ? "" : ` in ${first.metric}`;
  return `Onset at step ${sayInteger(situation.onset)}${where}, no earlier than ${sayInteger(situation.onsetLower)} (90 %); with a margin of ${sayInteger(margin)} steps for a ${situation.shape} a checkpoint must be at or before ${sayInteger(safe)}.`;
}

export function restartReasons(input: AdviceInput, situation: Situation, chosen: Weighed<RestartOption>, price: Price): readonly string[] {
  const { checkpoint, skip, action } = chosen.option;
  return [
    onsetReason(input, situation),
    checkpointReason(input, checkpoint),
    lossReason(situation, checkpoint.step, price),
    ...(skip === null
      ? []
      : [
          `Steps ${sayInteger(skip.from)} to ${sayInteger(skip.to)} are skipped: ${sayInteger(skippedSteps(skip))} batches around the fault (GLM-130B skipped 200, PaLM 200 to 500).`,
        ]),
    ...againReasons(situation, action),
    `Expected cost ${price.say(chosen.expectedSteps)}, restart and the chance of another spike included; 90 % of draws lie between ${sayInteger(chosen.low)} and ${sayInteger(chosen.high)} steps.`,
  ];
}

function checkpointReason(input: AdviceInput, checkpoint: Candidate): string {
  const step = sayInteger(checkpoint.step);
  if (checkpoint.assumed)
    return `Checkpoint ${step} is assumed from one each ${sayInteger(input.checkpointEvery ?? 0)} steps; check that it exists and is complete before you restart.`;
  if (checkpoint.verified) return `Checkpoint ${step} is verified${checkpoint.note === null ? "" : `: ${checkpoint.note}`}.`;
  return `Checkpoint ${step} is not known to be incomplete; nobody has verified it${checkpoint.note === null ? "" : ` (${checkpoint.note})`}.`;
}

function lossReason(situation: Situation, checkpointStep: number, price: Price): string {
  const lost = situation.now - checkpointStep;
  const gone = Math.min(lost, Math.max(0, situation.now - situation.onset));
  return `It throws away ${price.say(lost)}: ${sayInteger(gone)} since the onset are lost whatever is done, ${sayInteger(lost - gone)} are good work.`;
}

function againReasons(situation: Situation, action: RestartOption["action"]): readonly string[] {
  const earlier = situation.earlierAttempts;
  if (earlier.length === 0) return [];
  const where = situation.sameSteps ? "at the same steps, so with the same data" : "in the same stretch";
  const said = `It has come again: ${earlier.join(", ")} met it before, ${where}.`;
  if (action === "lower-lr")
    return [said, "A second re-spike is what teams cut the learning rate for: by 10 % (OPT-175B), 25 % and then 50 % (IDEFICS-80B)."];
  return [said];
}

export function waitReasons(
  input: AdviceInput,
  situation: Situation,
  wait: Weighed,
  rival: Weighed<RestartOption> | null,
  price: Price,
): readonly string[] {
  const steps = wait.option.action === "wait" ? wait.option.steps : 0;
  const age = situation.now - situation.onset;
  const rivalText =
    rival === null
      ? []
      : [
          `To ${INSTEAD[rival.option.action]} ${sayInteger(rival.option.checkpoint.step)} is expected to cost ${price.say(rival.expectedSteps)}, to wait ${price.say(wait.expectedSteps)}.`,
        ];
  if (situation.kind === "recovered")
    return [`The fault is over${endOf(situation)}; the weights train on at their old level.`, ...rivalText];
  if (situation.kind === "shifted") return [shiftReason(situation), ...rivalText];
  return [
    `${percent(middleOdds(situation, steps))} of such ${situation.shape === "ramp" ? "slow build-ups" : "spikes"} that have lasted ${sayInteger(age)} steps are back within ${sayInteger(steps)} more.`,
    ...rivalText,
    onsetReason(input, situation),
    ...(rival === null
      ? []
      : [
          `If it has not come back by step ${sayInteger(situation.now + steps)}, ${INSTEAD[rival.option.action]} ${sayInteger(rival.option.checkpoint.step)}.`,
        ]),
  ];
}

const INSTEAD: Readonly<Record<RestartOption["action"], string>> = {
  rollback: "roll back to",
  "skip-data": "skip the data from checkpoint",
  "lower-lr": "lower the learning rate from checkpoint",
};

function endOf(situation: Situation): string {
  const ends = situation.findings.map((finding) => finding.endStep).filter((step) => step !== null);
  return ends.length === 0 ? "" : ` since step ${sayInteger(Math.max(...ends))}`;
}

export function shiftReason(situation: Situation): string {
  const shift = situation.shift;
  const size = shift === null ? "" : ` by ${(100 * shift.relative).toFixed(1)} ± ${(100 * shift.error).toFixed(1)} %`;
  return `The spike is over but the level has shifted${size}; waiting does not undo that.`;
}

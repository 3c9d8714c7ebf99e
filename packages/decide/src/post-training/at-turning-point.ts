import { metricTitle, sayInteger, sayShare } from "@trainwatch/core";
import type { Advice, Finding } from "@trainwatch/core";
import { normalCdf } from "@trainwatch/stats";
import { candidatesUpTo, plural, type Candidate } from "../candidates.ts";
import type { AdviceInput } from "../contract.ts";
import type { Price } from "../cost.ts";
import { rejectedCheckpoints } from "../rejected.ts";
import { adviceOf } from "../verdict.ts";

/**
 * The lower end of the interval is sure for any curve that rises and falls, and so lies far out: measured over simulated runs of nine curves, the place of the peak scatters as a
 * normal error of a fifth of the way from it to that end does.
 */
const ERRORS_TO_LOWER_END = 5;
/**
 * More than this is not claimed: of proposals that claimed it the lower 95 % bound of those that came true is so much on the worst of six curves, by
 * `npm run bench -- over-optimisation` (surestLow95), on seeds other than those that the fifth was chosen on.
 */
const MOST_SHARE = 0.98;

interface Turned {
  /** The score with the earliest peak. */
  readonly turn: Finding;
  /** Further scores that have turned. */
  readonly others: readonly Finding[];
  /** What to do about what else was found, sentences. */
  readonly steps: readonly string[];
}

/**
 * The newest complete checkpoint at or before the peak of a held-out score that has turned. No margin is kept, as it is for a fault: about the peak the curve is flat, so
 * a checkpoint near it loses nothing, and one after it loses ever more. Source: detection.md F.2.
 */
export function atTurningPoint(input: AdviceInput, { turn, others, steps }: Turned, price: Price): Advice {
  const peak = turn.onsetStep ?? 0;
  const lower = Math.min(peak, turn.onsetLowerStep ?? peak);
  const now = Math.max(input.lastStep ?? 0, input.lastStep === null ? (turn.detectedStep ?? peak) : 0);
  const list = candidatesUpTo(input, now, (step) =>
    step <= peak ? [] : [`after the turning point: saved ${plural(step - peak)} after it`],
  );
  const usable = list.filter(({ faults }) => faults.length === 0);
  const [checkpoint] = usable;
  const rejected = rejectedCheckpoints(list, checkpoint ?? null, { now, onset: peak }, price);
  const climbs = turn.severity === "critical" ? " while reward climbs" : "";
  const fall = `held-out falls after ${sayInteger(peak)}${climbs}`;
  if (checkpoint === undefined) {
    return adviceOf(input, price, { reasons: [`${capital(fall)}.`, whyNone(input, peak), again(null), ...steps], rejected });
  }
  const share = shareBeforePeak(checkpoint.step, peak, lower);
  const lostSteps = now - checkpoint.step;
  return adviceOf(input, price, {
    action: "rollback",
    checkpointStep: checkpoint.step,
    turningPointStep: peak,
    lostSteps,
    share,
    reasons: [
      `Keep step ${sayInteger(checkpoint.step)}: ${fall}.`,
      `The peak of ${metricTitle(turn.metric)} lies at or after step ${sayInteger(checkpoint.step)} with ${sayShare(share)}: it is estimated at ${sayInteger(peak)}, and its 90 % interval begins at ${sayInteger(lower)}.`,
      ...others.map(({ metric, onsetStep }) => `${metricTitle(metric)} has turned as well, at step ${sayInteger(onsetStep ?? peak)}.`),
      ...(checkpoint.assumed
        ? [
            `Checkpoint ${sayInteger(checkpoint.step)} is assumed from one each ${sayInteger(input.checkpointEvery ?? 0)} steps: see that it exists.`,
          ]
        : []),
      `What came after is not kept: ${price.say(lostSteps)}.`,
      again(checkpoint.step),
      ...steps,
    ],
    rejected,
    alternatives: alternatives(usable, lower, now, price),
  });
}

/** Chance that the true peak is not before a step, from the told one and the lower end of its 90 % interval. */
export function shareBeforePeak(step: number, peak: number, lower: number): number {
  if (peak <= lower) return step < peak ? MOST_SHARE : 0.5;
  return Math.min(MOST_SHARE, normalCdf((ERRORS_TO_LOWER_END * (peak - step)) / (peak - lower)));
}

function whyNone(input: AdviceInput, peak: number): string {
  if (input.checkpoints.length > 0 || input.checkpointEvery !== null)
    return `No complete checkpoint lies at or before the turning point at step ${sayInteger(peak)}, so there is none to go back to.`;
  return "No checkpoint is known: the log names none. Say how often one is saved with --checkpoint-every N (or `checkpointEvery` in the run's metadata), or push them.";
}

/** A changed evaluation falls like an over-optimised policy does. */
function again(checkpoint: number | null): string {
  const what = checkpoint === null ? "the newest checkpoint and the oldest" : `step ${sayInteger(checkpoint)} and the newest`;
  return `A changed evaluation (prompts, template, judge) looks alike: evaluate ${what} once more on the same prompts before anything is thrown away.`;
}

function alternatives(usable: readonly Candidate[], lower: number, now: number, price: Price): Advice["alternatives"] {
  const [chosen] = usable;
  const surely = usable.find(({ step }) => step < lower);
  const wait: Advice["alternatives"][number] = {
    action: "wait",
    checkpointStep: null,
    expectedGpuHours: null,
    expectedSteps: null,
    why: "a held-out score that has turned does not come back while the same reward is optimised: every further step is thrown away as well",
  };
  if (chosen === undefined || surely === undefined || surely.step === chosen.step) return [wait];
  const lost = now - surely.step;
  return [
    {
      action: "rollback",
      checkpointStep: surely.step,
      expectedGpuHours: price.gpuHours(lost),
      expectedSteps: lost,
      why: `before the whole 90 % interval of the peak, and costs ${price.say(chosen.step - surely.step)} more`,
    },
    wait,
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

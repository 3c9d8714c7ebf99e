import type { CauseAssessment, Replay, REPLAY_KINDS } from "@trainwatch/core";
import { formatCount } from "@trainwatch/ui";

export type ReplayKind = (typeof REPLAY_KINDS)[number];

export const REPLAY_WORDS = {
  "step-elsewhere": "The step, on other hardware",
  "device-again": "The suspect, once more",
} as const satisfies Record<ReplayKind, string>;

/** What each kind asks, and what its two answers mean: the kinds are told apart here or nowhere. */
export const REPLAY_NOTES = {
  "step-elsewhere": {
    asks: "Was this step computed wrongly? The recorded step is run on healthy GPUs, with the same batch and weights.",
    agreed: "Agreed: the recorded values were right, so that this step was not corrupted.",
    disagreed: "Disagreed: the recorded values were wrong. That is close to proof against the hardware that computed them.",
  },
  "device-again": {
    asks: "Is this device bad? A step or a test program is run on the suspect itself.",
    agreed: "Agreed: it computed rightly this time. A fault that comes and goes passes most runs, so that this clears nothing.",
    disagreed: "Disagreed: the device computes wrongly now.",
  },
} as const satisfies Record<ReplayKind, { asks: string; agreed: string; disagreed: string }>;

/** "10 runs agreed": never "passed". */
export function replayOutcome({ runs, outcome }: Pick<Replay, "runs" | "outcome">): string {
  return `${formatCount(runs, "run")} ${outcome}`;
}

/** Belief that hardware did it, all suspects together; null before causes were weighed. */
export function hardwareShare(assessment: CauseAssessment | null): number | null {
  if (assessment === null) return null;
  return assessment.causes.filter(({ cause }) => cause === "hardware").reduce((sum, { share }) => sum + share, 0);
}

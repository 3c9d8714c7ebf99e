import { sayInteger } from "@trainwatch/core";
import type { Checkpoint } from "@trainwatch/core";
import type { AdviceInput } from "./contract.ts";
import { MARGIN_SAMPLES } from "./priors.ts";
import type { Situation } from "./situation.ts";

/** A checkpoint that could be gone back to, or the reasons why not. */
export interface Candidate {
  readonly step: number;
  readonly verified: boolean;
  /** Its existence follows from `--checkpoint-every` alone. */
  readonly assumed: boolean;
  /** Why it is verified, if the source says so. */
  readonly note: string | null;
  /** Empty where it may be proposed. */
  readonly faults: readonly string[];
}

/** Assumed checkpoints are bounded: the newest ones before the onset are all that can matter. */
const MOST_CANDIDATES = 200;

/** The newest step a proposed checkpoint may have: the onset's lower end less a margin counted in logged points. */
export function newestSafeStep(situation: Situation, logEvery: number): number {
  return situation.onsetLower - marginSteps(situation, logEvery);
}

export function marginSteps(situation: Situation, logEvery: number): number {
  return MARGIN_SAMPLES[situation.shape] * logEvery;
}

/** All checkpoints up to now, newest first. */
export function candidates(input: AdviceInput, situation: Situation): readonly Candidate[] {
  const safe = newestSafeStep(situation, input.logEvery);
  const margin = marginSteps(situation, input.logEvery);
  return candidatesUpTo(input, situation.now, (step) => distanceFaults(step, situation, safe, margin));
}

/** All checkpoints up to a step, newest first. @param faultsOf what speaks against a step, besides that its checkpoint is incomplete */
export function candidatesUpTo(input: AdviceInput, now: number, faultsOf: (step: number) => readonly string[]): readonly Candidate[] {
  const known = input.checkpoints.filter((checkpoint) => checkpoint.step <= now);
  const list =
    known.length > 0 ? bestOfEachStep(known, input.attempt).map((checkpoint) => fromCheckpoint(checkpoint)) : assumed(input, now);
  return list
    .map((candidate) => ({ ...candidate, faults: [...faultsOf(candidate.step), ...candidate.faults] }))
    .sort((a, b) => b.step - a.step)
    .slice(0, MOST_CANDIDATES);
}

function fromCheckpoint(checkpoint: Checkpoint): Candidate {
  const complete = checkpoint.state !== "incomplete";
  return {
    step: checkpoint.step,
    verified: checkpoint.state === "verified",
    assumed: false,
    note: complete ? checkpoint.reason : null,
    faults: complete ? [] : [`incomplete${checkpoint.reason === null ? "" : `: ${checkpoint.reason}`}`],
  };
}

/** One step may be saved by two attempts or in two kinds: the attempt's own comes first, then the better known. */
function bestOfEachStep(checkpoints: readonly Checkpoint[], attempt: string): readonly Checkpoint[] {
  const rank = (checkpoint: Checkpoint): number => (checkpoint.attempt === attempt ? 4 : 0) + STATE_RANK[checkpoint.state];
  const best = new Map<number, Checkpoint>();
  for (const checkpoint of checkpoints) {
    const held = best.get(checkpoint.step);
    if (held === undefined || rank(checkpoint) > rank(held)) best.set(checkpoint.step, checkpoint);
  }
  return [...best.values()];
}

const STATE_RANK: Readonly<Record<Checkpoint["state"], number>> = { verified: 2, unchecked: 1, incomplete: 0 };

function assumed(input: AdviceInput, now: number): readonly Candidate[] {
  const every = input.checkpointEvery;
  if (every === null || every < 1) return [];
  const first = Math.max(1, Math.ceil((input.firstStep ?? 0) / every)) * every;
  const last = Math.floor(now / every) * every;
  const count = Math.min(MOST_CANDIDATES, Math.max(0, (last - first) / every + 1));
  return Array.from({ length: count }, (_, index) => ({
    step: last - index * every,
    verified: false,
    assumed: true,
    note: null,
    faults: [],
  }));
}

function distanceFaults(step: number, situation: Situation, safe: number, margin: number): readonly string[] {
  if (step <= safe) return [];
  const { onset, onsetLower } = situation;
  if (step >= onset)
    return [step === onset ? "at the onset: saved in its first step" : `after onset: saved ${plural(step - onset)} after it`];
  if (step >= onsetLower) return [`may be after onset: within its 90 % interval, ${sayInteger(onsetLower)} to ${sayInteger(onset)}`];
  return [`too close to the onset: ${plural(onsetLower - step)} before its earliest step, and the margin is ${sayInteger(margin)}`];
}

export function plural(steps: number): string {
  return steps === 1 ? "1 step" : `${sayInteger(steps)} steps`;
}

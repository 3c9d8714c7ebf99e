import { type StepBreak, stepMap } from "./step-map.ts";

/** When a step ended, epoch milliseconds UTC. */
export interface StepTime {
  readonly step: number;
  readonly timeMs: number;
}

/** Steps and wall time of one attempt. A step's time is its end. */
export interface StepTimeMap {
  /** Epoch milliseconds at a step; null outside the known steps and where the clock was set back in between. */
  toTime(step: number): number | null;
  /** Step (may be fractional) at a time; null outside. A time that the clock showed twice is taken at its later turn. */
  toStep(timeMs: number): number | null;
  /** Milliseconds from the end of one step to the end of another; null where unknown or where it would have been negative. */
  durationMs(fromStep: number, toStep: number): number | null;
  /** Where the clock was set back: durations across are refused (C7). */
  readonly clockSetBack: readonly StepBreak[];
}

/** @param known pairs of one attempt in any order; of several at one step the earliest counts. */
export function stepTimeMap(known: Iterable<StepTime>): StepTimeMap {
  const map = stepMap(mapPairs(known));
  return {
    toTime: map.at,
    toStep: map.stepAt,
    durationMs: (fromStep, toStep) => {
      const duration = map.between(fromStep, toStep);
      return duration === null || duration < 0 ? null : duration;
    },
    clockSetBack: map.breaks,
  };
}

function* mapPairs(known: Iterable<StepTime>): Iterable<{ step: number; value: number }> {
  for (const { step, timeMs } of known) yield { step, value: timeMs };
}

export type TokenAxis =
  | {
      readonly available: true;
      readonly source: "tokens_consumed" | "tokens-per-step";
      /** Tokens seen when a step ended; null where not known. */
      toTokens(step: number): number | null;
      toStep(tokens: number): number | null;
    }
  | { readonly available: false; readonly why: string };

/**
 * Tokens of one attempt: what the source counted (`tokens_consumed`), else steps × tokens per step of the run's metadata, else not
 * offered, with the reason.
 */
export function tokenAxis(known: {
  readonly consumed: readonly { readonly step: number; readonly tokens: number }[];
  readonly tokensPerStep: number | null;
}): TokenAxis {
  if (known.consumed.length > 0) {
    const map = stepMap(known.consumed.map(({ step, tokens }) => ({ step, value: tokens })));
    return { available: true, source: "tokens_consumed", toTokens: map.at, toStep: map.stepAt };
  }
  const { tokensPerStep } = known;
  if (tokensPerStep === null || !(tokensPerStep > 0)) {
    return { available: false, why: "the run reports no tokens_consumed and its metadata has no tokens per step" };
  }
  return {
    available: true,
    source: "tokens-per-step",
    toTokens: (step) => step * tokensPerStep,
    toStep: (tokens) => tokens / tokensPerStep,
  };
}

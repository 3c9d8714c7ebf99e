import { MAX_TIME_MS } from "@trainwatch/core";

/** A time that a calendar knows (and no negative zero, which JSON does not), else null: arithmetic on what is missing must not become a finding that nobody can read back. */
export function knownTime(ms: number | null): number | null {
  return ms !== null && ms >= 0 && ms <= MAX_TIME_MS ? ms + 0 : null;
}

/** A step, rounded where it was interpolated; null for what is none. */
export function knownStep(step: number | null): number | null {
  return step !== null && Number.isSafeInteger(Math.round(step)) ? Math.round(step) + 0 : null;
}

import { earliestStep } from "../series/earliest-step.ts";

/** The newest steps of one metric, oldest first. JSON-safe. Ages of sums count back from its end. */
export interface RecentSteps {
  steps: number[];
  times: (number | null)[];
}

/** A sum that has been above zero for longer is dated to the oldest of these. */
const REMEMBERED = 512;

export function newRecentSteps(): RecentSteps {
  return { steps: [], times: [] };
}

export function noteStep(recent: RecentSteps, step: number, timeMs: number | null): void {
  recent.steps.push(step);
  recent.times.push(timeMs);
  if (recent.steps.length < 2 * REMEMBERED) return;
  // In halves: to shift columns by one at each step would cost more than the step.
  recent.steps = recent.steps.slice(-REMEMBERED);
  recent.times = recent.times.slice(-REMEMBERED);
}

/** The step at which something `age` steps old began (1: the newest), its time, and the earliest step that it may have gone unseen at. */
export function stepAt(
  recent: RecentSteps,
  age: number,
): { readonly step: number; readonly timeMs: number | null; readonly earliest: number } {
  const index = Math.max(0, recent.steps.length - Math.max(1, age));
  const step = recent.steps[index] ?? 0;
  return { step, timeMs: recent.times[index] ?? null, earliest: earliestStep(recent.steps[index - 1], step) };
}

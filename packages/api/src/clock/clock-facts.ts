import type { Checkpoint, RunNote } from "@trainwatch/core";
import type { ClockFacts } from "@trainwatch/detect";
import type { RunFacts, RunSigns } from "@trainwatch/store";

export interface ClockSources {
  readonly signs: Pick<
    RunSigns,
    "attempt" | "stepIsConstant" | "lastStep" | "stepMovedAtMs" | "lastReceivedAtMs" | "stepTimeS" | "logEvery"
  >;
  readonly facts: Pick<RunFacts, "metadata" | "endedAtMs">;
  /** Newest checkpoints of the run, oldest step first. */
  readonly checkpoints: readonly Checkpoint[];
  /** Newest notes of the run, oldest first. */
  readonly notes: readonly RunNote[];
  readonly trafficShare: number | null;
  readonly nowMs: number;
}

/** Events of trainers that say that no step is due for a while, and those that say that it is over. */
const PHASES = [
  {
    kind: "checkpoint",
    begins: ["checkpoint-started"],
    ends: ["checkpoint-saved", "checkpoint-ended", "checkpoint-finished", "checkpoint-failed"],
  },
  { kind: "eval", begins: ["eval-started"], ends: ["eval-ended", "eval-finished"] },
] as const;

/** What is known of the newest attempt of a run at a moment. */
export function clockFacts({ signs, facts, checkpoints, notes, trafficShare, nowMs }: ClockSources): ClockFacts {
  const attempt = signs.attempt ?? "";
  const own = checkpoints.filter((each) => each.attempt === attempt);
  const good = own.findLast(({ state }) => state !== "incomplete");
  const bad = own.findLast(({ state }) => state === "incomplete");
  return {
    nowMs,
    lastStep: signs.stepIsConstant ? null : signs.lastStep,
    stepMovedAtMs: signs.stepMovedAtMs,
    lastReceivedAtMs: signs.lastReceivedAtMs,
    stepTimeS: signs.stepTimeS,
    logEvery: signs.logEvery,
    phase: phaseOf(
      notes.filter((note) => note.attempt === attempt),
      signs,
      good?.step ?? null,
    ),
    checkpoint: good === undefined ? null : { step: good.step, savedAtMs: good.savedAtMs },
    incomplete: bad === undefined ? null : { step: bad.step, savedAtMs: bad.savedAtMs, reason: bad.reason },
    checkpointEvery: facts.metadata.checkpointEvery ?? usualDistance(own.map(({ step }) => step)),
    trafficShare,
    ended: facts.endedAtMs !== null,
  };
}

/** Of an attempt that is over: what was missing of it is not missing any more. */
export function endedFacts(
  { lastReceivedAtMs, stepTimeS, logEvery }: Pick<RunFacts, "lastReceivedAtMs" | "stepTimeS" | "logEvery">,
  lastStep: number | null,
  nowMs: number,
): ClockFacts {
  return {
    nowMs,
    lastStep,
    stepMovedAtMs: null,
    lastReceivedAtMs,
    stepTimeS,
    logEvery,
    phase: null,
    checkpoint: null,
    checkpointEvery: null,
    trafficShare: null,
    ended: true,
  };
}

/** The phase that was begun last and is not over: by its own word, by a step after it, or by the checkpoint that it was to make. */
function phaseOf(
  notes: readonly RunNote[],
  { lastStep, stepMovedAtMs }: ClockSources["signs"],
  savedStep: number | null,
): ClockFacts["phase"] {
  for (const note of notes.toReversed()) {
    for (const { kind, begins, ends } of PHASES) {
      if (isAmong(ends, note.kind)) return null;
      if (!isAmong(begins, note.kind)) continue;
      const isOver =
        note.step !== null &&
        ((lastStep !== null && lastStep > note.step) || (kind === "checkpoint" && savedStep !== null && savedStep >= note.step));
      // Without a time it began when the steps stopped.
      const sinceMs = note.timeMs ?? stepMovedAtMs;
      return isOver || sinceMs === null ? null : { kind, sinceMs };
    }
  }
  return null;
}

function isAmong(words: readonly string[], word: string): boolean {
  return words.includes(word);
}

/** Median distance of the newest checkpoints; null before three are known. */
function usualDistance(steps: readonly number[]): number | null {
  const distances = [...new Set(steps)]
    .sort((a, b) => a - b)
    .flatMap((step, index, all) => (index === 0 ? [] : [step - (all[index - 1] ?? step)]))
    .sort((a, b) => a - b);
  return distances.length < 2 ? null : (distances[Math.floor((distances.length - 1) / 2)] ?? null);
}

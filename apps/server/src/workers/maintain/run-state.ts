import { sayInteger, type RunState } from "@trainwatch/core";
import type { RunSigns } from "@trainwatch/store";

export interface StateVerdict {
  readonly state: RunState;
  /** What it rests on, in words. */
  readonly reason: string;
}

/** product.md "Hang": no step for max(60 s, 5 × median step). The same patience holds for silence, counted in the run's own rhythm. */
const LEAST_PATIENCE_MS = 60_000;
const RHYTHMS = 5;

/**
 * How a run stands whose end nobody has told: `silent` without any data for longer than its rhythm allows, `stalled` where data comes
 * but no step, else `running`. `crashed` and `finished` are never guessed: only the source says them.
 */
export function judgeRunState(signs: RunSigns, nowMs: number): StateVerdict {
  const { lastReceivedAtMs, stepMovedAtMs, lastStep, stepIsConstant, arrivalGapMs } = signs;
  if (lastReceivedAtMs === null) return { state: "running", reason: "no data has come yet" };
  const quietMs = nowMs - lastReceivedAtMs;
  const rhythmMs = arrivalGapMs ?? 0;
  if (quietMs > patience(rhythmMs)) {
    const before = arrivalGapMs === null ? "" : `; before, it came about every ${sayDuration(arrivalGapMs)}`;
    return { state: "silent", reason: `no data since ${sayTime(lastReceivedAtMs)}${before}` };
  }
  const stepMs = loggedPointMs(signs);
  const stillMs = stepMovedAtMs === null ? 0 : nowMs - stepMovedAtMs;
  if (lastStep !== null && !stepIsConstant && stillMs > patience(Math.max(rhythmMs, stepMs))) {
    return { state: "stalled", reason: `data comes, but no step after ${sayInteger(lastStep)} since ${sayTime(stepMovedAtMs ?? nowMs)}` };
  }
  return { state: "running", reason: lastStep === null ? "data comes in" : "data comes in and steps move" };
}

function patience(rhythmMs: number): number {
  return Math.max(LEAST_PATIENCE_MS, RHYTHMS * rhythmMs);
}

/** How long one logged point takes by the run's own pace; 0 where unknown. */
function loggedPointMs({ stepTimeS, logEvery }: RunSigns): number {
  return (stepTimeS ?? 0) * (logEvery ?? 1) * 1_000;
}

const UNITS = [
  { ms: 86_400_000, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: 60_000, name: "min" },
  { ms: 1_000, name: "s" },
] as const;

/** Absolute, so that the sentence stays true while the state stands. */
function sayTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** One unit, rounded down. */
function sayDuration(ms: number): string {
  const unit = UNITS.find((candidate) => ms >= candidate.ms);
  return unit === undefined ? "under 1 s" : `${sayInteger(Math.floor(ms / unit.ms))} ${unit.name}`;
}

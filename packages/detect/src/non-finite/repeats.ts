import type { Sample } from "@trainwatch/core";

/** How often a logged value equals the one before it, to the bit. JSON-safe. */
export interface Repeats {
  last: number | null;
  /** Length of the newest run of equal values, and where it began. */
  run: number;
  runStep: number;
  runTimeMs: number | null;
  /** Pairs seen before this run, and how many of them were equal. */
  pairs: number;
  equal: number;
  seen: number;
}

export function newRepeats(): Repeats {
  return { last: null, run: 0, runStep: 0, runTimeMs: null, pairs: 0, equal: 0, seen: 0 };
}

export function noteValue(repeats: Repeats, sample: Sample): void {
  if (!Number.isFinite(sample.value)) return;
  repeats.seen++;
  if (repeats.last === sample.value) {
    repeats.run++;
    return;
  }
  if (repeats.last !== null) {
    repeats.pairs += repeats.run;
    repeats.equal += repeats.run - 1;
  }
  repeats.last = sample.value;
  repeats.run = 1;
  repeats.runStep = sample.step;
  repeats.runTimeMs = sample.timeMs;
}

/** Whether a run this long could well come from how often the value repeated before: a loss printed in bf16 takes few values (detection.md A.2). */
export function repeatIsChance(repeats: Repeats, chance: number): boolean {
  const share = (repeats.equal + 1) / (repeats.pairs + 2);
  return share ** (repeats.run - 1) > chance;
}

import type { AgentClock } from "./clock.ts";

export interface HeldClock extends AgentClock {
  /** Both clocks go on; what sleeps until then wakes. */
  advance(ms: number): void;
  /** Somebody sets the wall clock. */
  jump(ms: number): void;
  /** What is asleep now, by how long it still sleeps. */
  readonly sleeping: readonly number[];
}

/** A clock that moves only when told to. */
export function createHeldClock(startMs = Date.UTC(2026, 0, 1)): HeldClock {
  let wall = startMs;
  let monotonic = 1_000;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  const wakeDue = (): void => {
    for (const sleeper of sleepers) {
      if (sleeper.until > monotonic) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  };
  return {
    now: () => wall,
    monotonicMs: () => monotonic,
    sleep: (ms, stop) =>
      new Promise((wake) => {
        if (stop.aborted) return wake();
        const sleeper = { until: monotonic + ms, wake };
        sleepers.add(sleeper);
        stop.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          wake();
        });
        wakeDue();
      }),
    advance(ms) {
      wall += ms;
      monotonic += ms;
      wakeDue();
    },
    jump(ms) {
      wall += ms;
    },
    get sleeping() {
      return [...sleepers].map(({ until }) => until - monotonic);
    },
  };
}

export interface FakeClock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  advance(ms: number): void;
  set(ms: number): void;
}

/** A clock that moves only when told to. Starts at 2026-01-01T00:00:00Z. */
export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let ms = startMs;
  return {
    now: () => ms,
    advance(by) {
      ms += by;
    },
    set(to) {
      ms = to;
    },
  };
}

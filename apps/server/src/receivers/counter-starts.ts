/** Series whose start is remembered; the longest unseen go first. What is forgotten is written once more, and known as a repeat. */
const MOST_SERIES = 200_000;
/** A counter seen for the first time begins where it says if that is no longer ago: before, nobody was watching. */
const FIRST_SIGHT_MS = 20 * 60_000;

export interface CounterStarts {
  /**
   * Whether a counter that says to have begun at `startMs` must be written as zero at that time: it has begun anew. A restart is thus seen even
   * where the counter has grown beyond its old value before it was read again.
   */
  isNew(key: string, startMs: number, timeMs: number): boolean;
  /** What was asked about since the last call is on disk. */
  settle(key: string, startMs: number, timeMs: number): void;
}

export function createCounterStarts(): CounterStarts {
  const known = new Map<string, { readonly startMs: number; readonly timeMs: number }>();
  return {
    isNew(key, startMs, timeMs) {
      if (startMs <= 0 || startMs >= timeMs) return false;
      const last = known.get(key);
      if (last === undefined) return timeMs - startMs <= FIRST_SIGHT_MS;
      return startMs !== last.startMs && startMs > last.timeMs;
    },
    settle(key, startMs, timeMs) {
      const last = known.get(key);
      if (last !== undefined && last.timeMs > timeMs) return;
      known.delete(key);
      known.set(key, { startMs, timeMs });
      if (known.size > MOST_SERIES) for (const oldest of known.keys()) return void known.delete(oldest);
    },
  };
}

export interface BackOff {
  /** Milliseconds until the next try. */
  failed(id: number, nowMs: number): number;
  succeeded(id: number): void;
  isDue(id: number, nowMs: number): boolean;
  /** How many are not due yet. */
  waiting(nowMs: number): number;
}

export interface BackOffOptions {
  readonly firstMs: number;
  readonly mostMs: number;
}

interface Failure {
  readonly waitMs: number;
  readonly dueAtMs: number;
}

/** When to try again what failed: each failure in a row doubles the wait, up to a bound; one success forgets them. */
export function createBackOff({ firstMs, mostMs }: BackOffOptions): BackOff {
  const failures = new Map<number, Failure>();
  return {
    failed(id, nowMs) {
      const before = failures.get(id);
      const waitMs = before === undefined ? firstMs : Math.min(mostMs, before.waitMs * 2);
      failures.set(id, { waitMs, dueAtMs: nowMs + waitMs });
      return waitMs;
    },
    succeeded: (id) => void failures.delete(id),
    isDue: (id, nowMs) => (failures.get(id)?.dueAtMs ?? nowMs) <= nowMs,
    waiting(nowMs) {
      let count = 0;
      for (const [id, { dueAtMs }] of failures) {
        // Due for so long and not tried: it is gone, and would be remembered for ever.
        if (dueAtMs + mostMs < nowMs) failures.delete(id);
        else if (dueAtMs > nowMs) count++;
      }
      return count;
    },
  };
}

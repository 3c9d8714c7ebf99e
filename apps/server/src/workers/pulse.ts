export interface PulseOptions {
  /** Does one round of work; true asks for the next one at once. Never called twice at a time. */
  readonly act: (signal: AbortSignal) => Promise<boolean>;
  readonly everyMs: number;
  /** The round failed; the next one comes at its time. */
  readonly onError: (error: unknown) => void;
}

export interface Pulse {
  /** There is work now: do not wait for the time. */
  wake(): void;
  /** Ends after the round at hand. */
  close(): Promise<void>;
}

/** Repeats an act: at once while there is more to do, when woken, and else every so often. */
export function createPulse({ act, everyMs, onError }: PulseOptions): Pulse {
  const stop = new AbortController();
  let isWoken = false;
  let wakeUp: (() => void) | null = null;

  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(done, everyMs);
      function done(): void {
        clearTimeout(timer);
        wakeUp = null;
        resolve();
      }
      wakeUp = done;
      if (isWoken || stop.signal.aborted) done();
    });

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      isWoken = false;
      let hasMore = false;
      try {
        hasMore = await act(stop.signal);
      } catch (error) {
        onError(error);
      }
      if (!hasMore) await rest();
    }
  };

  const ended = run();
  return {
    wake() {
      isWoken = true;
      wakeUp?.();
    },
    async close() {
      stop.abort();
      wakeUp?.();
      await ended;
    },
  };
}

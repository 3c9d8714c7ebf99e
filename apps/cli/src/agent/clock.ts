import { setTimeout as sleepFor } from "node:timers/promises";

/** Time as the agent sees it, so that a test can hold it in its hand. */
export interface AgentClock {
  /** Epoch milliseconds, UTC; jumps when somebody sets the clock. */
  now(): number;
  /** Milliseconds since some moment; never jumps, never goes back. */
  monotonicMs(): number;
  /** Resolves after so many milliseconds, or at once when `stop` is asked for. */
  sleep(ms: number, stop: AbortSignal): Promise<void>;
}

export const systemClock: AgentClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, stop) {
    try {
      await sleepFor(ms, undefined, { signal: stop });
    } catch (error) {
      if (!stop.aborted) throw error;
    }
  },
};

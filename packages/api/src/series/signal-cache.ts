import type { Sparkline } from "@trainwatch/core";

/** Preview lines that have been read before. Lists ask for dozens of them every other second, and most stand still. */
export interface SignalCache {
  /** The line under a key, read by `ask` where it is not held; asked for twice at once it is read once. */
  get(key: string, ask: () => Promise<Sparkline>): Promise<Sparkline>;
}

/** A line is about 1 kB, and a list shows 200 rows at most. */
const ENTRIES = 1_000;
/** A key says which data it was made of as far as a row knows; late points into an old stretch show after so long at most. */
const KEPT_MS = 60_000;

/** @param now epoch milliseconds */
export function createSignalCache(now: () => number): SignalCache {
  const held = new Map<string, { readonly signal: Promise<Sparkline>; readonly atMs: number }>();
  return {
    get(key, ask) {
      const known = held.get(key);
      if (known !== undefined && now() - known.atMs < KEPT_MS) return known.signal;
      const signal = ask();
      held.delete(key);
      held.set(key, { signal, atMs: now() });
      for (const oldest of held.keys()) {
        if (held.size <= ENTRIES) break;
        held.delete(oldest);
      }
      // A failure is told to who asked and not to who asks next.
      signal.catch(() => held.delete(key));
      return signal;
    },
  };
}

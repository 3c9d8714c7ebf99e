import { setImmediate as nextTurn } from "node:timers/promises";

/** Work of many small parts in the process that also answers requests: none of them waits for longer than about this. */
const SLICE_MS = 8;

export interface Pace {
  /** Lets others have their turn where the slice is used up. */
  rest(): Promise<void>;
}

export function createPace(): Pace {
  let since = performance.now();
  return {
    async rest() {
      if (performance.now() - since < SLICE_MS) return;
      await nextTurn();
      since = performance.now();
    },
  };
}

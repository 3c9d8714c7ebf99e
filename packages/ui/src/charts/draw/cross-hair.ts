import { useSyncExternalStore } from "react";
import type { SnappedSample } from "../prepare/index.ts";

/** Where the reader looks: outside React's tree of lanes, so that moving the pointer redraws no chart. */
export interface CrossHairState {
  readonly x: number;
  /** The lane under the pointer, whose sample it stands on. */
  readonly lane: number;
  readonly sample: SnappedSample | null;
}

export interface CrossHair {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => CrossHairState | null;
  readonly set: (next: CrossHairState | null) => void;
}

export function createCrossHair(): CrossHair {
  const listeners = new Set<() => void>();
  let state: CrossHairState | null = null;
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    set(next) {
      if (next === null && state === null) return;
      if (next !== null && state !== null && next.x === state.x && next.lane === state.lane && next.sample?.value === state.sample?.value)
        return;
      state = next;
      for (const listener of listeners) listener();
    },
  };
}

export function useCrossHair(crossHair: CrossHair): CrossHairState | null {
  return useSyncExternalStore(crossHair.subscribe, crossHair.state);
}

import { useSyncExternalStore } from "react";

/** The cell that the reader looks at, outside React's tree: moving over the map redraws the card and nothing else. */
export interface CellCursor {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => CursorState | null;
  readonly set: (gpu: number, by: CursorState["by"]) => void;
  readonly clear: () => void;
}

export interface CursorState {
  readonly gpu: number;
  /** A key's move is said aloud, a pointer's is not. */
  readonly by: "pointer" | "key";
}

export function createCellCursor(): CellCursor {
  const listeners = new Set<() => void>();
  let state: CursorState | null = null;
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    set(gpu, by) {
      if (state?.gpu === gpu) return;
      state = { gpu, by };
      tell();
    },
    clear() {
      if (state === null) return;
      state = null;
      tell();
    },
  };
}

export function useCellCursor(cursor: CellCursor): CursorState | null {
  return useSyncExternalStore(cursor.subscribe, cursor.state);
}

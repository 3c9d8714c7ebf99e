export const KEY_GROUPS = ["Go", "Lists", "Charts", "Anywhere"] as const;
export type KeyGroup = (typeof KEY_GROUPS)[number];

export interface KeyBinding {
  /** `j`, `g i`, `mod+k`. */
  readonly keys: string;
  /** What it does, for the list that `?` shows. */
  readonly label: string;
  readonly group: KeyGroup;
  readonly run: () => void;
}

/** What is bound now. Components come and go; a later binding of the same keys wins. */
export interface KeyRegistry {
  /** `current` is asked at each press, so that a binding always runs what the last render meant. Returns the way out. */
  readonly bind: (current: () => readonly KeyBinding[]) => () => void;
  readonly all: () => readonly KeyBinding[];
  /** Tells of bindings that come and go; `version` changes with each. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly version: () => number;
}

export function createKeyRegistry(): KeyRegistry {
  const sets = new Set<() => readonly KeyBinding[]>();
  const listeners = new Set<() => void>();
  let version = 0;
  const changed = (): void => {
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    bind(current) {
      sets.add(current);
      changed();
      return () => {
        sets.delete(current);
        changed();
      };
    },
    all: () => [...sets].flatMap((current) => current()),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}

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
}

export function createKeyRegistry(): KeyRegistry {
  const sets = new Set<() => readonly KeyBinding[]>();
  return {
    bind(current) {
      sets.add(current);
      return () => sets.delete(current);
    },
    all: () => [...sets].flatMap((current) => current()),
  };
}

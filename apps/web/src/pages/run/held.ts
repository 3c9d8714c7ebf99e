import { useState } from "react";

interface Kept<T> {
  readonly key: string;
  readonly value: T;
}

/** While held, the value that was shown when holding began; a new question (another `key`) is shown at once. */
export function useHeld<T>(key: string, value: T, held: boolean): T {
  const [kept, setKept] = useState<Kept<T>>({ key, value });
  const stays = held && kept.key === key;
  if (!stays && (kept.key !== key || kept.value !== value)) setKept({ key, value });
  return stays ? kept.value : value;
}

/** Ticks are values divided by this: 1e6 writes "2.0" beside "M tokens/s". */
export interface UnitPrefix {
  readonly divide: number;
  readonly word: string;
}

const PREFIXES = [
  { divide: 1e12, word: "T" },
  { divide: 1e9, word: "B" },
  { divide: 1e6, word: "M" },
] as const;

/** For ticks whose largest is of that size; none below a million, nor where even the prefix would leave four digits. */
export function unitPrefix(largest: number): UnitPrefix {
  return PREFIXES.find(({ divide }) => largest >= divide && largest < divide * 1e3) ?? { divide: 1, word: "" };
}

/** Ranks that a run can have: an eighth of a million, as the largest runs come near to. Labels beyond it are no ranks. */
export const MOST_RANKS = 131_072;

/** The rank that a label such as `17` names; null for what is no rank of its own spelling (`017`, `1.0`, `rank1`). */
export function rankOf(label: string): number | null {
  const { length } = label;
  if (length === 0 || length > 6) return null;
  let rank = 0;
  for (let index = 0; index < length; index++) {
    const digit = label.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9 || (digit === 0 && index === 0 && length > 1)) return null;
    rank = rank * 10 + digit;
  }
  return rank < MOST_RANKS ? rank : null;
}

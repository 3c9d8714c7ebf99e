import { packColumn, grown, unpackColumn } from "../rank/column.ts";
import { rankOf } from "./rank-label.ts";

/** As stored: a bit a rank, and the labels that are none. */
export interface StoredLabelSet {
  readonly ranks: string;
  readonly others: readonly string[];
}

/** Labels that have been seen. Numbers take a bit each: there may be a hundred thousand of them for each metric. */
export interface LabelSet {
  add(label: string): void;
  size(): number;
  pack(): StoredLabelSet;
}

export function createLabelSet(stored: StoredLabelSet | null): LabelSet {
  let bits = stored === null ? new Uint8Array() : unpackColumn(Uint8Array, stored.ranks);
  const others = new Set(stored?.others);
  let ranks = 0;
  for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) ranks++;
  return {
    add(label) {
      const rank = rankOf(label);
      if (rank === null) {
        others.add(label);
        return;
      }
      const at = rank >> 3;
      const bit = 1 << (rank & 7);
      if (at >= bits.length) bits = grown(Uint8Array, bits, at + 1);
      if (((bits[at] ?? 0) & bit) !== 0) return;
      bits[at] = (bits[at] ?? 0) | bit;
      ranks++;
    },
    size: () => ranks + others.size,
    pack: () => ({ ranks: packColumn(bits), others: [...others] }),
  };
}

/** A sample as its block keeps it: its key, with the epoch unless that is 0. */
export type KeyEntry = string | readonly [key: string, epoch: number];

export function keyEntry(key: string, epoch: number): KeyEntry {
  return epoch === 0 ? key : [key, epoch];
}

/** Entries of a block's `keys` column. */
export function readKeys(text: string): readonly KeyEntry[] {
  return JSON.parse(text) as readonly KeyEntry[];
}

export interface SampleNames {
  readonly names: readonly string[];
  /** How many epochs there are. */
  readonly epochs: number;
}

/** Names of the samples of a set: the keys, with `#epoch` where the set has several epochs; one evaluation counts its only epoch from 0, another from 1. */
export function sampleNames(entries: readonly KeyEntry[]): SampleNames {
  const epochs = new Set(entries.map((entry) => (typeof entry === "string" ? 0 : entry[1])));
  const names = entries.map((entry) => {
    const [key, epoch] = typeof entry === "string" ? ([entry, 0] as const) : entry;
    return epochs.size > 1 ? `${key}#${epoch}` : key;
  });
  return { names, epochs: epochs.size };
}

import type { SampleColumn } from "./contract.ts";

/**
 * Cluster of each sample by number, NaN where it stands alone; null where all do. Samples share a cluster where the source says so (a passage, a
 * conversation) or where they are epochs of one sample.
 */
export function clusterNumbers(column: SampleColumn, epochs: number | null): Float64Array | null {
  return numbered(column.clusters ?? epochBases(column.keys, epochs));
}

function numbered(names: readonly (string | null)[] | null): Float64Array | null {
  if (names === null) return null;
  const places = new Map<string, number>();
  const numbers = new Float64Array(names.length).fill(Number.NaN);
  let shared = false;
  names.forEach((name, sample) => {
    if (name === null) return;
    const place = places.get(name);
    if (place === undefined) places.set(name, places.size);
    else shared = true;
    numbers[sample] = place ?? places.size - 1;
  });
  return shared ? numbers : null;
}

/** Most epochs of a sample: more numbers than this after a `#` are names. */
const MOST_EPOCHS = 256;
const EPOCH = /^\d{1,4}$/;

/**
 * The key of each sample without its epoch; null where the keys have none. `key#2` is the epoch 2 of `key` where the settings tell of epochs, or where
 * every sample has as many numbers as every other: a `#` may stand in a name too.
 */
function epochBases(keys: readonly string[], epochs: number | null): readonly string[] | null {
  if (epochs !== null && epochs <= 1) return null;
  const counts = new Map<string, number>();
  const bases: string[] = [];
  const numbers = new Set<string>();
  let marked = false;
  for (const key of keys) {
    const at = key.lastIndexOf("#");
    const isEpoch = at > 0 && EPOCH.test(key.slice(at + 1));
    const base = isEpoch ? key.slice(0, at) : key;
    if (isEpoch) marked = true;
    numbers.add(isEpoch ? key.slice(at + 1) : "0");
    bases.push(base);
    counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  if (!marked) return null;
  if (epochs !== null) return bases;
  const each = counts.values().next().value ?? 0;
  const regular =
    counts.size > 1 && each > 1 && each <= MOST_EPOCHS && numbers.size === each && [...counts.values()].every((count) => count === each);
  return regular ? bases : null;
}

/** Epoch of a key, and the key without it. @param epochs how many a sample has: of 1 a `#` is part of the name; null: not known */
export function splitEpoch(key: string, epochs: number | null): { readonly key: string; readonly epoch: number } {
  if (epochs !== null && epochs <= 1) return { key, epoch: 0 };
  const at = key.lastIndexOf("#");
  const isEpoch = at > 0 && EPOCH.test(key.slice(at + 1));
  return isEpoch ? { key: key.slice(0, at), epoch: Number(key.slice(at + 1)) } : { key, epoch: 0 };
}

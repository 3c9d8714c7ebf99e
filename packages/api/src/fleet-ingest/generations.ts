/**
 * A map that holds the entries used of late, as far as their weights stay under a limit: a full half makes the other half go. One look-up
 * more for an entry of the older half, and nothing to keep in order otherwise.
 */
export interface Generations<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, weight: number): void;
}

interface Weighed<Value> {
  readonly value: Value;
  readonly weight: number;
}

export function createGenerations<Value>(mostWeight: number): Generations<Value> {
  let young = new Map<string, Weighed<Value>>();
  let old = new Map<string, Weighed<Value>>();
  let youngWeight = 0;
  const put = (key: string, entry: Weighed<Value>): void => {
    youngWeight += entry.weight - (young.get(key)?.weight ?? 0);
    young.set(key, entry);
    if (youngWeight <= mostWeight / 2) return;
    old = young;
    young = new Map();
    youngWeight = 0;
  };
  return {
    get(key) {
      const entry = young.get(key);
      if (entry !== undefined) return entry.value;
      const older = old.get(key);
      if (older === undefined) return undefined;
      old.delete(key);
      put(key, older);
      return older.value;
    },
    set(key, value, weight) {
      old.delete(key);
      put(key, { value, weight });
    },
  };
}

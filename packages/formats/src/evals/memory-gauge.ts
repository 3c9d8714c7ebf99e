/** What values made of a file may take of the memory, estimated before any is made: a few hundred megabytes of brackets become tens of gigabytes. */
export const MOST_VALUE_BYTES = 2 * 1024 ** 3;

export interface MemoryGauge {
  add(chunk: Uint8Array): void;
  /** Bytes that the values of what was added will take, the texts aside. */
  bytes(): number;
}

/** Measured with V8 of Node 20: an empty object 56 bytes and its place in a list 8, an empty list 48, a number in a list 8. */
export const jsonGauge = (): MemoryGauge => gaugeOf({ "{": 64, "[": 56, ",": 8 });

/** A row with its line and its list, and a cell that is a piece of the text. */
export const tableGauge = (): MemoryGauge => gaugeOf({ "\n": 128, "\r": 128, ",": 40, ";": 40, "\t": 40 });

function gaugeOf(costs: Readonly<Record<string, number>>): MemoryGauge {
  const weights = new Uint8Array(256);
  for (const [sign, cost] of Object.entries(costs)) weights[sign.charCodeAt(0)] = cost;
  let sum = 0;
  return {
    add(chunk) {
      for (const byte of chunk) sum += weights[byte] ?? 0;
    },
    bytes: () => sum,
  };
}

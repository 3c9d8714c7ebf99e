import { keyOf, uniform } from "../fleet/noise.ts";

/** Global batch id of the `place`-th batch (from 0) that a run reads: each epoch goes through all of them in an order of its own. */
export function batchAt(seed: number, batchesPerEpoch: number, place: number): number {
  const epoch = Math.floor(place / batchesPerEpoch);
  const key = keyOf(seed, 0xba7c, epoch);
  const stride = strideOf(batchesPerEpoch, uniform(key, 1));
  const start = Math.floor(uniform(key, 2) * batchesPerEpoch);
  // Products stay below 2^53 for up to 9e7 batches.
  return (start + stride * (place % batchesPerEpoch)) % batchesPerEpoch;
}

/** A step through all of `count` places: it shares no divisor with `count`. */
function strideOf(count: number, draw: number): number {
  let stride = 1 + Math.floor(draw * (count - 1));
  while (divisor(stride, count) !== 1) stride++;
  return stride;
}

function divisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

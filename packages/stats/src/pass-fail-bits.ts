/** Which scores are not 0, as bits, 32 a word. */
export function packBits(scores: Float64Array): Int32Array {
  const words = new Int32Array(Math.ceil(scores.length / 32));
  for (let index = 0; index < scores.length; index++)
    if (scores[index] !== 0) words[index >> 5] = (words[index >> 5] ?? 0) | (1 << (index & 31));
  return words;
}

/** Samples that both have passed: bits counted in parallel (Warren, Hacker's Delight, 5-1). */
export function countBoth(first: Int32Array, second: Int32Array): number {
  let count = 0;
  for (let index = 0; index < first.length; index++) {
    let word = (first[index] ?? 0) & (second[index] ?? 0);
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

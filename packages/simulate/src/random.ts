/** A seeded source of random numbers: the same seed gives the same run on every machine. */
export interface RandomSource {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Student t with 4 degrees of freedom, scaled to unit variance: the tails that real loss noise has (detection.md B.4). */
  heavyTailed(): number;
}

/** sfc32 (Chris Doty-Humphrey, PractRand), seeded by mixing the words through its own rounds. */
export function randomSource(...seed: readonly number[]): RandomSource {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (const word of seed) {
    a ^= word | 0;
    c ^= Math.floor(word / 2 ** 32) | 0;
    for (let round = 0; round < 12; round++) next();
  }
  const uniform = (): number => next() / 2 ** 32;
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const heavyTailed = (): number => {
    const chiSquare = -2 * Math.log(1 - uniform()) - 2 * Math.log(1 - uniform());
    // t4 has variance 2.
    return normal() / Math.sqrt(chiSquare / 4) / Math.SQRT2;
  };
  return { uniform, normal, heavyTailed };
}

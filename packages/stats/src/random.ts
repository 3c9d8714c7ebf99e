/** A seeded stream of doubles in [0, 1): same seed, same stream, on every machine. */
export type Random = () => number;

/** sfc32 (Doty-Humphrey 2010, passes PractRand), seeded through splitmix32 so that near seeds give unrelated streams. Not for secrets. */
export function seededRandom(seed: number): Random {
  let mixed = seed | 0;
  const word = (): number => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let t = mixed ^ (mixed >>> 16);
    t = Math.imul(t, 0x21f0aaad);
    t ^= t >>> 15;
    t = Math.imul(t, 0x735a2d97);
    return t ^ (t >>> 15);
  };
  let a = word();
  let b = word();
  let c = word();
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round++) next();
  return next;
}

/** A standard normal draw. Box & Muller 1958; one of the pair is left out so that a draw always costs two uniforms. */
export function normalDraw(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}

/** A draw of Student's t with `degrees` degrees of freedom: a normal over the root of a mean square of `degrees` normals. */
export function studentDraw(random: Random, degrees: number): number {
  let squares = 0;
  for (let index = 0; index < degrees; index++) squares += normalDraw(random) ** 2;
  return normalDraw(random) / Math.sqrt(squares / degrees);
}

/**
 * Noise without a state: the same key and place give the same number, in any order of asking. This is what lets a fleet be read at any time,
 * node by node, without a simulation that has to be run up to there.
 */

/** 32 bits that look random (the finalizer of MurmurHash3, twice, with the place between). */
export function hash(key: number, place: number): number {
  let bits = key ^ Math.imul(place | 0, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13) ^ (Math.floor(place / 2 ** 32) | 0), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  return (bits ^ (bits >>> 15)) >>> 0;
}

/** A key that several words have gone into. */
export function keyOf(...words: readonly number[]): number {
  return words.reduce((key, word) => hash(key, word), 0x243f6a88);
}

/** Uniform in [0, 1). */
export function uniform(key: number, place: number): number {
  return hash(key, place) / 2 ** 32;
}

/** Mean 0, standard deviation 1, never beyond 3.5: four bytes of a hash added up. */
export function bell(key: number, place: number): number {
  const bits = hash(key, place);
  return ((bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510) / 147.8;
}

/** `bell` at whole multiples of `width`, straight lines between: what drifts rather than jumps. */
export function drift(key: number, at: number, width: number): number {
  const place = Math.floor(at / width);
  const share = at / width - place;
  return bell(key, place) * (1 - share) + bell(key, place + 1) * share;
}

/** Width of the pieces in which `unsteady` runs faster or slower. */
const PIECE = 10;
/** Less than half a piece, so that what grows never shrinks. */
const SWAY = 4;

/** Something that grows, growing unevenly: never falls as long as `amount` does not, and stays within 4 of it. */
export function unsteady(key: number, amount: number): number {
  const piece = Math.floor(amount / PIECE);
  const share = amount / PIECE - piece;
  const sway = uniform(key, piece) * (1 - share) + uniform(key, piece + 1) * share;
  return Math.max(0, amount + SWAY * (sway - uniform(key, 0)));
}

const HEX = 16;

/** Hexadecimal digits, as in serial numbers and ids. */
export function hexDigits(key: number, count: number): string {
  return Array.from({ length: count }, (_, place) => (hash(key, place) % HEX).toString(HEX)).join("");
}

/** Text that looks like a UUID. */
export function uuidText(key: number): string {
  const digits = hexDigits(key, 32);
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-");
}

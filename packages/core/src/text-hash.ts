/**
 * 64 bits of a text (its UTF-16 code units) as 16 hex digits: tells texts apart where no one attacks (two 32-bit lanes of the murmur3 finaliser's
 * constants). The same on every machine; not for secrets. Of 200,000 different texts two are taken for one with probability 1e-9.
 */
export function textHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = mix(high ^ (high >>> 16), low);
  low = mix(low ^ (low >>> 16), high);
  return (high >>> 0).toString(16).padStart(8, "0") + (low >>> 0).toString(16).padStart(8, "0");
}

/** 52 bits as a whole number, for columns of numbers. */
function textNumber(text: string): number {
  return Number.parseInt(textHash(text).slice(0, 13), 16);
}

/** A prompt as it is compared: blanks and line ends alone make no other one. NaN for none. */
export function promptNumber(prompt: string | null): number {
  return prompt === null ? Number.NaN : textNumber(prompt.trim().replace(/\s+/g, " "));
}

function mix(lane: number, other: number): number {
  return Math.imul(lane, 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
}

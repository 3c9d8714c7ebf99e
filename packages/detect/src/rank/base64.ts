/** RFC 4648, with padding: typed columns in a state that is JSON. Pure packages have neither `Buffer` nor `btoa`. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const PAD = "=".charCodeAt(0);
const VALUES = new Uint8Array(128);
for (const [value, code] of CODES.entries()) VALUES[code] = value;

/** Letters that one call of fromCharCode takes: far below what the stack bears. */
const CHUNK = 8_192;

export function encodeBase64(bytes: Uint8Array): string {
  const letters = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  for (let from = 0, to = 0; from < bytes.length; from += 3, to += 4) {
    const word = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    letters[to] = CODES[word >> 18] ?? PAD;
    letters[to + 1] = CODES[(word >> 12) & 63] ?? PAD;
    letters[to + 2] = from + 1 < bytes.length ? (CODES[(word >> 6) & 63] ?? PAD) : PAD;
    letters[to + 3] = from + 2 < bytes.length ? (CODES[word & 63] ?? PAD) : PAD;
  }
  let text = "";
  for (let from = 0; from < letters.length; from += CHUNK) text += charsOf(letters.subarray(from, from + CHUNK));
  return text;
}

/** The bytes of what {@link encodeBase64} gave. What is no base64 gives bytes without meaning, and never throws. */
export function decodeBase64(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array(Math.max(0, 3 * Math.floor(text.length / 4) - padding));
  for (let from = 0, to = 0; to < bytes.length; from += 4, to += 3) {
    const word = (valueAt(text, from) << 18) | (valueAt(text, from + 1) << 12) | (valueAt(text, from + 2) << 6) | valueAt(text, from + 3);
    bytes[to] = word >> 16;
    if (to + 1 < bytes.length) bytes[to + 1] = word >> 8;
    if (to + 2 < bytes.length) bytes[to + 2] = word;
  }
  return bytes;
}

function charsOf(letters: Uint8Array): string {
  const text: string = Reflect.apply(String.fromCharCode, null, letters);
  return text;
}

function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? 0;
}

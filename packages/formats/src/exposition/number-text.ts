/** `12`, `-3.5`, `1.5e+09`, `+Inf`, `NaN`: what Go's strconv.ParseFloat takes, without its hexadecimal and underscored forms. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const NOT_A_NUMBER = /^nan$/i;
const WHOLE = /^-?\d+$/;

/** Null where the word is no number. */
export function valueOf(word: string): number | null {
  if (DECIMAL.test(word)) return Number(word);
  const infinite = INFINITE.exec(word);
  if (infinite !== null) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return NOT_A_NUMBER.test(word) ? Number.NaN : null;
}

/** Epoch ms of a time as the text format writes it, a whole number of ms; null where it is none. */
export function timeOfMs(word: string): number | null {
  const time = WHOLE.test(word) ? Number(word) : Number.NaN;
  return Number.isSafeInteger(time) ? time : null;
}

/** Epoch ms of a time as OpenMetrics writes it, in seconds: the point is moved in the text, so that 1.005 is 1005 and not 1004.99. */
export function timeOfSeconds(word: string): number | null {
  if (!DECIMAL.test(word)) return null;
  const [digits, exponent = "0"] = word.split(/e/i);
  const time = Math.round(Number(`${digits}e${Number(exponent) + 3}`));
  return Number.isSafeInteger(time) ? time : null;
}

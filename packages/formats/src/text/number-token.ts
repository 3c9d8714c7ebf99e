const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** No number begins with thousands of nothing: "0,531" is half of one, written with a decimal comma. */
const WITH_THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
/** C and Python spellings: `nan`, `-nan`, `nan(ind)`, `1.#QNAN`. */
const NOT_A_NUMBER = /^[+-]?(?:nan(?:\([a-z0-9]*\))?|1\.#(?:q?nan|ind))$/i;
const INFINITE = /^[+-]?(?:inf(?:inity)?|1\.#inf)$/i;

/**
 * Reads one number as tools print it: decimal, with thousands commas (`5,432`), or non-finite (`nan`, `-inf`).
 * What is too large for a double (`1e999`) is Infinity. Undefined when the token is no number; hex, empty and `1_000` are none.
 */
export function parseNumber(token: string): number | undefined {
  if (DECIMAL.test(token)) return Number(token);
  const text = token.trim();
  if (DECIMAL.test(text)) return Number(text);
  if (NOT_A_NUMBER.test(text)) return Number.NaN;
  if (INFINITE.test(text)) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (WITH_THOUSANDS.test(text)) return Number(text.replaceAll(",", ""));
  return undefined;
}

/** Milliseconds as seconds by moving the decimal point, so that `1719.66` becomes 1.71966 and not 1.7196600000000002. */
export function secondsOfMs(ms: number): number {
  const moved = Number(`${ms}e-3`);
  return Number.isNaN(moved) ? ms / 1000 : moved;
}

export type StepToken = { readonly step: number } | { readonly fault: string };

const STEP = /^[+-]?\d+$/;

/**
 * Reads a step counter. Negative, fractional and beyond-2^53 counters are refused with the reason;
 * a far but exact one (10^9) is kept: whether it is believable is for lineage to say.
 */
export function parseStep(token: string): StepToken {
  const text = token.trim();
  const digits = text.includes(",") && WITH_THOUSANDS.test(text) ? text.replaceAll(",", "") : text;
  if (!STEP.test(digits)) return { fault: `"${excerpt(text)}" is not a whole number` };
  const step = Number(digits);
  if (step < 0) return { fault: `step ${excerpt(text)} is negative` };
  if (!Number.isSafeInteger(step)) return { fault: `step ${excerpt(text)} is too large to be exact` };
  return { step };
}

/** A piece of source text short enough for a message. */
export function excerpt(text: string, max = 60): string {
  return text.length <= max ? text : `${text.slice(0, max)}…`;
}

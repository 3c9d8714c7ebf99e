/** U+2212: as wide as the plus sign and the digits, unlike the hyphen (visual.md). */
const MINUS = "\u2212";

const withMinus = (text: string): string => text.replaceAll("-", MINUS);

/** A step or a count in a sentence: `48,210`. */
export function sayInteger(value: number): string {
  return withMinus(Math.round(value).toLocaleString("en-US"));
}

/** Three significant digits, never in exponent form between 1e-4 and 1e15: `2.20`, `0.0153`, `1,240`; the word where not finite. */
export function sayValue(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : `${MINUS}Infinity`;
  const size = Math.abs(value);
  if (size >= 100 && size < 1e15) return sayInteger(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return withMinus(value.toExponential(2).replace("e+", "e"));
  return withMinus(Number.isInteger(value) ? String(value) : value.toPrecision(3));
}

/** A difference bears its sign: `+0.230`, `−5.50`. */
export function saySigned(value: number): string {
  return value > 0 ? `+${sayValue(value)}` : sayValue(value);
}

/** How many times a value is its baseline: `×2.4`, `×120`. */
export function sayRatio(value: number, baseline: number): string {
  const ratio = value / baseline;
  return `×${ratio >= 10 ? sayInteger(ratio) : ratio.toFixed(ratio < 1.1 ? 2 : 1)}`;
}

/** A value with its unit; a dimensionless one stands alone. */
export function sayQuantity(text: string, unit: string): string {
  return unit === "" ? text : `${text} ${unit}`;
}

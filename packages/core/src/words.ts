/** U+2212: as wide as the plus sign and the digits, unlike the hyphen (visual.md). */
export const MINUS = "\u2212";

const withMinus = (text: string): string => text.replaceAll("-", MINUS);

const fixedFormats = new Map<number, Intl.NumberFormat>();

function fixedFormat(digits: number): Intl.NumberFormat {
  let format = fixedFormats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
    fixedFormats.set(digits, format);
  }
  return format;
}

/** A finite number at so many digits, its thousands grouped: `48,210`, `−1,234.50`. */
export function sayFixed(value: number, digits: number): string {
  const text = fixedFormat(digits).format(value);
  // "-0.00" would claim a sign that the digits shown do not bear out.
  return withMinus(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
}

/** A finite number at so many significant digits, for those that fixed digits would show as zero: `4.41e−5`. */
export function sayScientific(value: number, significant: number): string {
  return withMinus(value.toExponential(Math.max(0, significant - 1)).replace("e+", "e"));
}

/** A step or a count in a sentence: `48,210`. */
export function sayInteger(value: number): string {
  return sayFixed(value, 0);
}

/** A share of belief in a sentence: nothing here is ever certain or ruled out, so never `100 %` and never `0 %`. */
export function sayShare(share: number): string {
  if (share >= 0.995) return "over 99 %";
  return share < 0.005 ? "under 1 %" : `${Math.round(100 * share)} %`;
}

/** Three significant digits, never in exponent form between 1e-4 and 1e15: `2.20`, `0.0153`, `1,240`; the word where not finite. */
export function sayValue(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Infinity" : `${MINUS}Infinity`;
  const size = Math.abs(value);
  if (size >= 100 && size < 1e15) return sayInteger(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e15)) return sayScientific(value, 3);
  return withMinus(Number.isInteger(value) ? String(value) : value.toPrecision(3));
}

const EXACT = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 12 });

/** As somebody has set it, unrounded: `2.5`, `−0.0003`, `12,000`. */
export function sayExact(value: number): string {
  return withMinus(EXACT.format(value));
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

import { MINUS, sayFixed, sayScientific } from "@trainwatch/core";

export { MINUS } from "@trainwatch/core";

/** What stands where a value is missing: never a zero, never an empty cell. */
export const MISSING = "–";

/** A number as read on an instrument: the value large, the unit small beside it. */
export interface Quantity {
  readonly text: string;
  /** "" where the value is missing or dimensionless. */
  readonly unit: string;
}

export const MISSING_QUANTITY: Quantity = { text: MISSING, unit: "" };

/** `48,210`; `–` for a missing value; the word for a value that is not finite. */
export function formatFixed(value: number | null | undefined, digits: number): string {
  if (value === null || value === undefined) return MISSING;
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : `${MINUS}Inf`;
  return sayFixed(value, digits);
}

/** Steps, counts and ranks: `48,210`. */
export function formatInteger(value: number | null | undefined): string {
  return formatFixed(value, 0);
}

/** A difference always bears its sign: `+0.23`, `−5.5`, and `0.00` for none. */
export function formatSigned(value: number | null | undefined, digits: number): string {
  const text = formatFixed(value, digits);
  return typeof value === "number" && value > 0 && Number.isFinite(value) && /[1-9]/.test(text) ? `+${text}` : text;
}

/** `4.41e−5`: for values that the fixed digits of a metric would show as zero. */
export function formatScientific(value: number, significant: number): string {
  if (!Number.isFinite(value)) return formatFixed(value, 0);
  return sayScientific(value, significant);
}

const PREFIXES = [
  // From where three digits round up to it: 999,500,000 reads 1.00 B and not 1,000 M. Below a million every digit is shown.
  { from: 0.9995e12, scale: 1e12, prefix: "T" },
  { from: 0.9995e9, scale: 1e9, prefix: "B" },
  { from: 1e6, scale: 1e6, prefix: "M" },
] as const;

/** Three significant digits with a word-size prefix from a million on: 811 B, 2.02 M tokens/s; below that all digits. */
export function formatCompact(value: number | null | undefined, unit = ""): Quantity {
  if (value === null || value === undefined) return MISSING_QUANTITY;
  if (!Number.isFinite(value)) return { text: formatFixed(value, 0), unit: "" };
  const magnitude = Math.abs(value);
  for (const { from, scale, prefix } of PREFIXES) {
    if (magnitude < from) continue;
    return { text: threeDigits(value / scale), unit: unit === "" ? prefix : `${prefix} ${unit}` };
  }
  if (magnitude >= 1000 || Number.isInteger(value)) return { text: formatFixed(value, 0), unit };
  return { text: threeDigits(value), unit };
}

function threeDigits(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 99.95) return formatFixed(value, 0);
  if (magnitude >= 9.995) return formatFixed(value, 1);
  return formatFixed(value, 2);
}

/** A share of one as percent: `85.1` and its unit. */
export function formatShare(share: number | null | undefined, digits = 1): Quantity {
  if (share === null || share === undefined) return MISSING_QUANTITY;
  return { text: formatFixed(share * 100, digits), unit: "%" };
}

/** `9,264 GPU-h`; a tenth below 100. */
export function formatGpuHours(hours: number | null | undefined): Quantity {
  if (hours === null || hours === undefined) return MISSING_QUANTITY;
  return { text: formatFixed(hours, Math.abs(hours) < 99.95 && !Number.isInteger(hours) ? 1 : 0), unit: "GPU-h" };
}

/** "1 checkpoint", "6 checkpoints": counts are never bare. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatInteger(count)} ${count === 1 ? singular : plural}`;
}

import { fieldOf, fromJsonNumber, metricEntry, type JsonNumber } from "@trainwatch/core";
import { formatCompact, formatFixed, formatScientific, MISSING_QUANTITY, type Quantity } from "./number.ts";

export { metricTitle } from "@trainwatch/core";

/** Unit of a metric: what the source says, else the catalogue's. */
export function metricUnit(metric: string, unit: string | null): string {
  return unit ?? metricEntry(metric)?.unit ?? fieldOf(metric)?.unit ?? "";
}

const DEFAULT_DIGITS = 4;

/**
 * A value at the metric's own precision. Where those digits would hide it (a learning rate of 3e-4 at three digits) it is
 * written with three significant ones; from a million on with a prefix.
 */
export function formatMetric(metric: string, value: JsonNumber | undefined, unit: string | null = null): Quantity {
  if (value === null || value === undefined) return MISSING_QUANTITY;
  const number = fromJsonNumber(value);
  if (number === null) return MISSING_QUANTITY;
  if (!Number.isFinite(number)) return { text: formatFixed(number, 0), unit: "" };
  const word = metricUnit(metric, unit);
  const magnitude = Math.abs(number);
  if (magnitude >= 1e15) return { text: formatScientific(number, 3), unit: word };
  if (magnitude >= 1e6) return formatCompact(number, word);
  const entry = metricEntry(metric) ?? fieldOf(metric) ?? undefined;
  const digits = entry?.digits ?? (Number.isInteger(number) ? 0 : DEFAULT_DIGITS);
  if (magnitude !== 0 && magnitude < 10 ** -digits * 10) return { text: threeSignificant(number, magnitude), unit: word };
  // Five digits are enough to tell two values apart on a page: 1234.567 reads 1,234.6.
  const integerDigits = Math.max(1, Math.floor(Math.log10(Math.max(magnitude, 1))) + 1);
  const room = entry === undefined ? Math.max(0, 5 - integerDigits) : digits;
  return { text: formatFixed(number, Math.min(digits, room)), unit: word };
}

function threeSignificant(number: number, magnitude: number): string {
  if (magnitude < 1e-3) return formatScientific(number, 3);
  return formatFixed(number, 2 - Math.floor(Math.log10(magnitude)));
}

import type { ReleaseRow } from "@trainwatch/core";
import { MINUS, sayFixed, sayQuantity } from "@trainwatch/core";

type Shown = Pick<ReleaseRow, "unit" | "scale" | "digits">;

/** A value of a row as its page shows it: "99.2 %". */
export function sayRowValue(value: number, { unit, scale, digits }: Shown): string {
  return sayQuantity(sayFixed(value * scale, digits), unit);
}

/** A difference of two values: "−0.7 pp", "+0.3 s". */
export function sayRowDifference(value: number, shown: Shown): string {
  return sayQuantity(signed(value, shown), shown.unit === "%" ? "pp" : shown.unit);
}

/** The same without its unit, for the second number of a sentence. */
export function signed(value: number, { scale, digits }: Shown): string {
  const text = sayFixed(value * scale, digits);
  return text.startsWith(MINUS) || !/[1-9]/.test(text) ? text : `+${text}`;
}

/** What a canonical training metric means. The catalogue decides kind and unit; a source only names its own column. */
export interface MetricEntry {
  readonly name: string;
  readonly title: string;
  /** SI or field-standard unit as written after a number; "" is dimensionless. */
  readonly unit: string;
  /** Which way is good; `none` where neither is. */
  readonly better: "lower" | "higher" | "none";
  /** Digits after the decimal point on pages. */
  readonly digits: number;
  /** Names that sources use for the same quantity, compared in lower case. */
  readonly aliases: readonly string[];
}

export const entry = (
  name: string,
  title: string,
  unit: string,
  better: MetricEntry["better"],
  digits: number,
  aliases: readonly string[],
): MetricEntry => ({ name, title, unit, better, digits, aliases });

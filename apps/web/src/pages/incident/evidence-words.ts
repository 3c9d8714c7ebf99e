import { fieldOf, fromJsonNumber, type Evidence, type Finding } from "@trainwatch/core";
import { formatCompact, formatScientific, MISSING_QUANTITY, type Quantity } from "@trainwatch/ui";

/** Below this, three significant digits need the exponent. */
const SMALL = 0.01;

/** The raw value of a fact at three digits, in the fact's own unit: it need not be that of the metric it comes from. */
export function evidenceQuantity({ value, unit }: Pick<Evidence, "value" | "unit">): Quantity {
  const number = fromJsonNumber(value);
  if (number === null) return MISSING_QUANTITY;
  if (number !== 0 && Math.abs(number) < SMALL) return { text: formatScientific(number, 3), unit: unit ?? "" };
  return formatCompact(number, unit ?? "");
}

/** Evidence of several findings as one list: what two of them say in the same words, of the same source and to the same effect is said once. */
export function distinctEvidence(findings: readonly Pick<Finding, "evidence">[]): readonly Evidence[] {
  const seen = new Map<string, Evidence>();
  for (const item of findings.flatMap(({ evidence }) => evidence)) {
    const key = JSON.stringify([item.text, item.source, item.weight]);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
}

/** Where a fact comes from; a field of the catalogue by its title. */
export function sourceWord(source: string | null): string {
  return source === null ? "–" : (fieldOf(source)?.title ?? source);
}

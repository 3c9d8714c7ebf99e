import type { FleetCatalogueEntry, FleetField } from "@trainwatch/core";
import { formatCompact, formatFixed } from "@trainwatch/ui";

export type FieldChoice = "all" | "sent" | "not-sent";

/** Fields whose name, title, signal or alias has the text; those that are sent first where all are shown. */
export function chosenFields(all: readonly FleetCatalogueEntry[], text: string, which: FieldChoice): readonly FleetCatalogueEntry[] {
  const part = text.trim().toLowerCase();
  const fits = ({ name, title, signal, aliases }: FleetField): boolean =>
    [name, title, signal ?? "", ...aliases].some((word) => word.toLowerCase().includes(part));
  const shown = all.filter((field) => fits(field) && (which === "all" || field.series > 0 === (which === "sent")));
  return [...shown].sort((a, b) => Number(b.series > 0) - Number(a.series > 0));
}

/** "−40 to 200", "up to 3,000", "any". */
export function boundsText({ min, max }: Pick<FleetField, "min" | "max">): string {
  if (min === null && max === null) return "any";
  if (max === null) return `from ${bound(min ?? 0)}`;
  return min === null ? `up to ${bound(max)}` : `${bound(min)} to ${bound(max)}`;
}

function bound(value: number): string {
  if (Math.abs(value) < 1e6) return formatFixed(value, Number.isInteger(value) ? 0 : 2);
  const { text, unit } = formatCompact(value);
  return `${text} ${unit}`;
}

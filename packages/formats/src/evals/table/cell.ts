import { excerpt, parseNumber } from "../../text/number-token.ts";
import type { EvalSink } from "../format.ts";

/** A number of a table: what the source wrote, in its own scale. */
export interface CellNumber {
  /** Null where the source says that there is none. */
  readonly value: number | null;
  readonly unit: "%" | null;
}

const MISSING = new Set(["", "-", "--", "n/a", "na", "none", "null", "not available"]);

/** `90.18%`, `0.53`, `1,234`, `N/A`; undefined when it is neither a number nor a word for none. */
export function cellNumber(text: string): CellNumber | undefined {
  const trimmed = text.trim();
  if (MISSING.has(trimmed.toLowerCase())) return { value: null, unit: null };
  const isPercent = trimmed.endsWith("%");
  const value = parseNumber(isPercent ? trimmed.slice(0, -1) : trimmed);
  return value === undefined ? undefined : { value, unit: isPercent ? "%" : null };
}

/** The same; what is no number is told with its line and column, and counts as none. */
export function checkedNumber(text: string, place: { readonly line: number; readonly column: string }, sink: EvalSink): CellNumber {
  const read = cellNumber(text);
  if (read !== undefined) return read;
  sink.issue({
    line: place.line,
    code: "unreadable-value",
    message: `"${excerpt(place.column)}" holds "${excerpt(text.trim())}", which is no number; it was left out.`,
  });
  return { value: null, unit: null };
}

/** A count: whole and not negative; null for everything else. */
export function cellCount(text: string | undefined): number | null {
  const value = text === undefined ? null : (cellNumber(text)?.value ?? null);
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

import { readRowLine } from "../json/json-row.ts";
import { parseNumber } from "../text/number-token.ts";

type Scalar = string | number | boolean | null;

/** One `:::MLLOG {"time_ms": 1684040096650, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": ..., "metadata": {...}}`. */
export interface MllogEntry {
  readonly key: string;
  readonly eventType: string;
  readonly timeMs: number | null;
  /** Numbers of the value: of an object each, of a number itself under the entry's key. */
  readonly numbers: readonly (readonly [name: string, value: number])[];
  /** The value when it is one number or text. */
  readonly scalar: string | number | undefined;
  readonly metadata: ReadonlyMap<string, Scalar>;
}

/**
 * Reads the JSON after the mark; text behind its last brace (the next line's prefix) is ignored. Undefined when unreadable.
 * @param nameOf pools names, which are kept by the records.
 */
export function readMllog(text: string, nameOf: (name: string) => string): MllogEntry | undefined {
  const read = readRowLine(text.slice(0, text.lastIndexOf("}") + 1), 1, nameOf);
  if (!("row" in read)) return undefined;
  const fields = new Map<string, Scalar>();
  const metadata = new Map<string, Scalar>();
  const inner: (readonly [string, number])[] = [];
  for (const [name, value] of read.row.fields) {
    if (name.startsWith("metadata/")) metadata.set(name.slice("metadata/".length), value);
    else if (name.startsWith("value/")) inner.push(...named(name.slice("value/".length), value));
    else fields.set(name, value);
  }
  const key = fields.get("key");
  if (typeof key !== "string" || key === "") return undefined;
  const value = fields.get("value") ?? null;
  const eventType = fields.get("event_type");
  const time = fields.get("time_ms");
  return {
    key,
    eventType: typeof eventType === "string" ? eventType : "",
    timeMs: typeof time === "number" && Number.isFinite(time) ? time : null,
    numbers: inner.length > 0 ? inner : named(key, value),
    scalar: typeof value === "number" || typeof value === "string" ? value : undefined,
    metadata,
  };
}

/** A number, or a text that is one (`"NaN"`); a null is missing. */
function named(name: string, value: Scalar): readonly (readonly [string, number])[] {
  const number = typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : undefined;
  return number === undefined || name === "" ? [] : [[name, number]];
}

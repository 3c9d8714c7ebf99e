import { parseJsonTolerant } from "../json-tolerant.ts";
import { parseNumber } from "../text/number-token.ts";

/** One `:::MLLOG {"time_ms": 1684040096650, "event_type": "POINT_IN_TIME", "key": "tracked_stats", "value": ..., "metadata": {...}}`. */
export interface MllogEntry {
  readonly key: string;
  readonly eventType: string;
  readonly timeMs: number | null;
  /** Numbers of the value: of an object each, of a number itself under the entry's key. */
  readonly numbers: readonly (readonly [name: string, value: number])[];
  /** The value when it is one number or text. */
  readonly scalar: string | number | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Whether the metadata says at which sample or epoch it was. */
  readonly hasStep: boolean;
}

const STEP_KEYS = ["step", "samples_count", "epoch_num", "step_num"] as const;

/** Reads the JSON after the mark; text behind its last brace (the next line's prefix) is ignored. Undefined when unreadable. */
export function readMllog(text: string): MllogEntry | undefined {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  const json = start < 0 || end < start ? undefined : parseJsonTolerant(text.slice(start, end + 1))?.value;
  if (!isObject(json) || typeof json["key"] !== "string") return undefined;
  const { key, value } = json;
  const metadata = isObject(json["metadata"]) ? json["metadata"] : {};
  const scalar = typeof value === "number" || typeof value === "string" ? value : undefined;
  return {
    key,
    eventType: typeof json["event_type"] === "string" ? json["event_type"] : "",
    timeMs: typeof json["time_ms"] === "number" && Number.isFinite(json["time_ms"]) ? json["time_ms"] : null,
    numbers: isObject(value) ? Object.entries(value).flatMap(([name, item]) => named(name, item)) : named(key, value),
    scalar,
    metadata,
    hasStep: STEP_KEYS.some((name) => metadata[name] !== undefined && metadata[name] !== null),
  };
}

/** A number, or a text that is one (`"NaN"`); a null is missing. */
function named(name: string, value: unknown): readonly (readonly [string, number])[] {
  const number = typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : undefined;
  return number === undefined ? [] : [[name, number]];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

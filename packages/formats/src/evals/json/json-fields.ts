import type { JsonObject, JsonValue } from "./json-value.ts";

/** The value as an object; null when it is none. */
export function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !isList(value) ? value : null;
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] | null {
  return typeof value === "object" && value !== null && isList(value) ? value : null;
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" ? value : null;
}

/** Not an own key, not there: `toString` of a plain object is none. */
export function fieldOf(object: JsonObject | null, key: string): JsonValue | undefined {
  return object !== null && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Deeper structures are told as "…": what comes from outside may be nested without end. */
const MOST_LEVELS = 16;

/** JSON with sorted keys, so that the same content is the same text. */
export function canonicalJson(value: JsonValue, level = 0): string {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (level >= MOST_LEVELS) return '"…"';
  if (isList(value)) return `[${value.map((item) => canonicalJson(item, level + 1)).join(",")}]`;
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null, level + 1)}`);
  return `{${fields.join(",")}}`;
}

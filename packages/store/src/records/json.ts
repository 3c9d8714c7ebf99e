import type { Prisma } from "../generated/client.ts";

/**
 * The text of a value for a jsonb column. What JSON cannot hold (undefined, functions) is dropped as `JSON.stringify` drops it, and
 * U+0000, which PostgreSQL refuses in jsonb, becomes U+FFFD: a stray byte in a log line must not stop the detectors.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value ?? null).replaceAll("\\u0000", "\\ufffd");
}

/** The same as an argument of Prisma, which looks at each part of it: for large values a statement of our own with the text is better. */
export function asJson(value: unknown): Prisma.InputJsonValue {
  const parsed: Prisma.InputJsonValue = JSON.parse(jsonText(value));
  return parsed;
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

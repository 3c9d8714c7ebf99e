import type { Prisma } from "../generated/client.ts";

/**
 * A value on its way into a jsonb column. What JSON cannot hold (undefined, functions) is dropped as `JSON.stringify` drops it, and
 * U+0000, which PostgreSQL refuses in jsonb, becomes U+FFFD: a stray byte in a log line must not stop the detectors.
 */
export function asJson(value: unknown): Prisma.InputJsonValue {
  const text = JSON.stringify(value ?? null).replaceAll("\\u0000", "\\ufffd");
  const parsed: Prisma.InputJsonValue = JSON.parse(text);
  return parsed;
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

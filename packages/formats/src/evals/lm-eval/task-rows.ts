import { type JsonNumber, toJsonNumber } from "@trainwatch/core";
import { parseNumber } from "../../text/number-token.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { readMetricKey } from "./metric-key.ts";

/** One metric of one task as the file prints it. */
export interface TaskRow {
  /** As the file writes it: "acc,none". */
  readonly key: string;
  readonly metric: string;
  readonly filter: string | null;
  readonly value: JsonNumber;
  readonly stderr: JsonNumber;
}

export interface TaskRows {
  readonly rows: readonly TaskRow[];
  /** Keys that cannot be read as a metric, and standard errors without their metric. */
  readonly unread: readonly string[];
}

/** The metrics of one task's results, each with its standard error. "N/A" is unknown; it is neither 0 nor a score. */
export function taskRows(result: JsonObject): TaskRows {
  const values = new Map<string, Omit<TaskRow, "stderr">>();
  const stderrs = new Map<string, { readonly key: string; readonly value: JsonNumber }>();
  const unread: string[] = [];
  for (const [key, raw] of Object.entries(result)) {
    const name = readMetricKey(key);
    if (name === null) continue;
    const value = measured(raw);
    const id = rowId(name);
    if (value === undefined) {
      if (typeof raw !== "string" || key.includes(",")) unread.push(key);
    } else if (name.isStderr) stderrs.set(id, { key, value });
    else values.set(id, { key, metric: name.metric, filter: name.filter, value });
  }
  const rows = [...values].map(([id, row]) => ({ ...row, stderr: stderrs.get(id)?.value ?? null }));
  for (const [id, { key }] of stderrs) if (!values.has(id)) unread.push(key);
  return { rows, unread };
}

/** The same for the same metric of every task. */
export function rowId({ metric, filter }: { readonly metric: string; readonly filter: string | null }): string {
  return `${metric},${filter ?? ""}`;
}

/** Undefined: no number and no word for a missing one. */
function measured(value: JsonValue | undefined): JsonNumber | undefined {
  if (value === null) return null;
  if (typeof value === "number") return toJsonNumber(value);
  if (typeof value !== "string") return undefined;
  if (/^\s*(?:n\/?a|none|null)\s*$/i.test(value)) return null;
  const read = parseNumber(value);
  return read === undefined ? undefined : toJsonNumber(read);
}

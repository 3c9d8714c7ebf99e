import { type EvalRecordInput, evalRecordSchema, storableText } from "@trainwatch/core";
import { excerpt } from "../text/number-token.ts";
import type { EvalSink } from "./format.ts";
import { canonicalJson } from "./json/json-fields.ts";
import type { JsonValue } from "./json/json-value.ts";
import { textHash } from "./text-hash.ts";

/** Longest text of a sample that is kept, as the record allows. */
const MOST_BODY = 262_144;
const MOST_SETTING = 512;

/** Gives out records that the record's own rules allow, and an issue for each that they do not: no file makes a push that is refused. */
export function recordSink(sink: EvalSink): (record: EvalRecordInput, line: number) => void {
  return (record, line) => {
    const checked = evalRecordSchema.safeParse(record);
    if (checked.success) return sink.record(record);
    const [issue] = checked.error.issues;
    sink.issue({
      line,
      code: "bad-record",
      message: `A ${record.kind} was left out: ${issue?.path.join(".") ?? ""} ${excerpt(issue?.message ?? "", 120).replace(/\.$/, "")}.`,
    });
  };
}

/** A prompt, an answer or a target as it is kept: storable, and cut where the record ends it. */
export function bodyText(text: string | null): string | null {
  if (text === null) return null;
  return storableText(text.length > MOST_BODY ? text.slice(0, MOST_BODY) : text);
}

/** A sample's key, a category or a cluster: as it is, or its hash where it is longer than a key may be. */
export function keyText(text: string): string {
  return text.length <= 256 ? storableText(text) : `hash:${textHash(text)}`;
}

/** A setting as it is compared: scalars as they are, structures as canonical JSON, long ones as their hash. Null is "not told". */
export function settingValue(value: JsonValue | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const text = storableText(typeof value === "string" ? value : canonicalJson(value));
  return text.length <= MOST_SETTING ? text : `hash:${textHash(text)}`;
}

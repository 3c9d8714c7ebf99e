import { type EvalRecordInput, evalRecordSchema, storableText, textHash } from "@trainwatch/core";
import { excerpt } from "../text/number-token.ts";
import type { EvalSink } from "./format.ts";
import { canonicalJson } from "./json/json-fields.ts";
import type { JsonValue } from "./json/json-value.ts";

/** Longest text of a sample that is kept, as the record allows. */
const MOST_BODY = 262_144;
const MOST_SETTING = 512;
/** Stands at the end of what was cut, so that nobody takes it for all that was said. */
const CUT = " … (cut)";

/** Gives out records that the record's own rules allow, and an issue for each that they do not: no file makes a push that is refused. */
export function recordSink(sink: EvalSink): (record: EvalRecordInput, line: number) => void {
  return (given, line) => {
    const record = withoutBadError(given, line, sink);
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

/** The value stands without its error where that cannot be one. */
function withoutBadError(record: EvalRecordInput, line: number, sink: EvalSink): EvalRecordInput {
  if (record.kind !== "measure" || typeof record.stderr !== "number" || record.stderr >= 0) return record;
  sink.issue({
    line,
    code: "bad-stderr",
    message: `"${excerpt(record.metric)}" of "${excerpt(record.task)}" has the standard error ${record.stderr}, and none is below 0; it was left out.`,
  });
  return { ...record, stderr: null };
}

/** A prompt, an answer or a target as it is kept: storable, and cut where the record ends it. */
export function bodyText(text: string | null): string | null {
  if (text === null) return null;
  return storableText(text.length > MOST_BODY ? `${text.slice(0, MOST_BODY - CUT.length)}${CUT}` : text);
}

/** A sample's key, a category or a cluster: as it is, or its hash where it is longer than a key may be. */
export function keyText(text: string): string {
  return text.length <= 256 ? storableText(text) : `hash:${textHash(text)}`;
}

export function keyOrNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : keyText(text);
}

/** A setting as it is compared: scalars as they are, structures as canonical JSON, long ones as their hash. Null is "not told". */
export function settingValue(value: JsonValue | undefined): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const text = storableText(typeof value === "string" ? value : canonicalJson(value));
  return text.length <= MOST_SETTING ? text : `hash:${textHash(text)}`;
}

import { evalRecordSchema, storableText, type EvalRecord, type EvalRecordInput } from "@trainwatch/core";

export type StorableEval = { readonly ok: true; readonly record: EvalRecord } | { readonly ok: false; readonly why: string };

/** A text longer than the server keeps is cut, with a mark that says so. */
const MOST_TEXT = 262_144;
const CUT = " … (cut)";

/** A record as the server takes it: characters that no database holds are marked, endless texts cut. What still does not fit says why. */
export function storableEval(record: EvalRecordInput): StorableEval {
  const parsed = evalRecordSchema.safeParse(record);
  if (parsed.success) return { ok: true, record: parsed.data };
  const again = evalRecordSchema.safeParse(clean(record));
  if (again.success) return { ok: true, record: again.data };
  const [issue] = again.error.issues;
  return { ok: false, why: issue === undefined ? "it does not fit" : `${issue.path.join(".")}: ${issue.message}` };
}

function clean(value: unknown): unknown {
  if (typeof value === "string") return cut(storableText(value));
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [storableText(name), clean(item)]));
}

function cut(text: string): string {
  return text.length <= MOST_TEXT ? text : storableText(`${text.slice(0, MOST_TEXT - CUT.length)}${CUT}`);
}

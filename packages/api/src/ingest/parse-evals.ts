import { type EvalPushInput, evalPushSchema, evalRecordSchema, MOST_EVAL_RECORDS, storableText } from "@trainwatch/core";
import type { BadRecord, EvalPart } from "@trainwatch/store";
import { z } from "zod";

/** Records are looked at one by one: a bad one must not cost the rest of its part. */
const partSchema = evalPushSchema.extend({ records: z.array(z.unknown()).max(MOST_EVAL_RECORDS) });
/** Faults of one record that are named. */
const MOST_FAULTS = 3;

/**
 * Checks the body of `ingest.evals`.
 * @throws ZodError where the part itself does not fit; a record that does not is kept as bad, with what is wrong with it
 */
export function parseEvals(input: unknown): EvalPart {
  const part = partSchema.parse(input);
  return { ...part, records: part.records.map(parseRecord) };
}

function parseRecord(input: unknown): EvalPart["records"][number] {
  const parsed = evalRecordSchema.safeParse(input);
  return parsed.success ? parsed.data : badRecord(parsed.error);
}

function badRecord({ issues }: z.ZodError): BadRecord {
  const named = issues.slice(0, MOST_FAULTS).map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  const more = issues.length > MOST_FAULTS ? ` and ${issues.length - MOST_FAULTS} more` : "";
  // A path may hold a name that the source has chosen.
  return { kind: "bad", message: storableText(`The record does not fit: ${named.join("; ")}${more}.`) };
}

/** The check in the form that tRPC takes; `types` says what clients may send and is never there. */
export const evalsInput: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => { readonly value: EvalPart };
    readonly types?: { readonly input: EvalPushInput; readonly output: EvalPart };
  };
} = { "~standard": { version: 1, vendor: "trainwatch", validate: (value) => ({ value: parseEvals(value) }) } };

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EvalRecord, evalRecordSchema, type ParseIssue } from "@trainwatch/core";
import { detectEvalFormat, type EvalOptions, HEAD_BYTES } from "@trainwatch/formats";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

export interface ReadEval {
  /** Null with the reason where no parser takes the file. */
  readonly format: string | null;
  readonly refusal: string | null;
  /** As ingest takes them. */
  readonly records: readonly EvalRecord[];
  readonly issues: readonly ParseIssue[];
}

/** Reads a file below the corpus folder through recognition and parser, in pieces. */
export function readEval(file: string, options: EvalOptions = {}): ReadEval {
  const bytes = readFileSync(join(CORPUS_FOLDER, file));
  const detection = detectEvalFormat(bytes.subarray(0, HEAD_BYTES));
  if (detection.kind === "refused") return { format: null, refusal: detection.refusal.message, records: [], issues: [] };
  const records: EvalRecord[] = [];
  const issues: ParseIssue[] = [];
  const sink = {
    record: (record: unknown) => records.push(evalRecordSchema.parse(record)),
    issue: (issue: ParseIssue) => issues.push(issue),
  };
  const parser = detection.format.parser(sink, { path: file, ...options });
  for (let at = 0; at < bytes.length; at += 10_007) parser.push(bytes.subarray(at, at + 10_007));
  parser.end();
  return { format: detection.format.id, refusal: null, records, issues };
}

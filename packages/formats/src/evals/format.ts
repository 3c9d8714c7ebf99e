import type { EvalRecordInput, ParseIssue } from "@trainwatch/core";

export interface EvalOptions {
  /** Model of files that do not name theirs (XSTest tables, sample files): what the user says, else a word from the file's name. */
  readonly model?: string;
  /** The file's name and folder, for formats that say part of it there (lm-eval's sample files, `checkpoint-1800/results.json`). Never used to tell the format. */
  readonly path?: string;
  /** Of sample files: what the results file beside them says; see `planEvalSet`. */
  readonly companion?: EvalCompanion;
  /** Column mapping of generic CSV and JSONL. */
  readonly columns?: EvalColumns;
}

/** What a results file says of the sample files that were written with it. */
export interface EvalCompanion {
  readonly subject: EvalSubjectInput;
  /** Epoch ms. */
  readonly evaluatedAtMs: number | null;
  /** Tasks that it gives measures of; a sample file of another task is none of its own. */
  readonly tasks: ReadonlySet<string>;
}

/** A subject as a parser gives it. */
export type EvalSubjectInput = EvalMeasureInput["subject"];
export type EvalMeasureInput = Extract<EvalRecordInput, { readonly kind: "measure" }>;
export type EvalSampleInput = Extract<EvalRecordInput, { readonly kind: "sample" }>;

/** Names of columns or JSON fields. Without `metrics` every numeric column that is not named here is one. */
export interface EvalColumns {
  readonly model?: string;
  readonly step?: string;
  readonly task?: string;
  readonly metric?: string;
  readonly value?: string;
  readonly stderr?: string;
  readonly n?: string;
  /** Of per-sample tables. */
  readonly key?: string;
  readonly prompt?: string;
  readonly answer?: string;
  readonly target?: string;
  readonly cluster?: string;
  readonly category?: string;
  readonly metrics?: readonly string[];
}

export interface EvalSink {
  record(record: EvalRecordInput): void;
  issue(issue: ParseIssue): void;
}

/** Bytes in, records and issues out. Never throws on input. Line formats hold one line; documents hold the file, at most {@link MOST_DOCUMENT_BYTES}. */
export interface EvalParser {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** A document that is larger is refused with an issue that says so. Just under 512 MiB: the longest text that V8 holds. */
export const MOST_DOCUMENT_BYTES = 512 * 1024 * 1024 - 64;

export interface EvalFormat {
  /** Stable id, as `compare --json` prints it. */
  readonly id: string;
  readonly title: string;
  /** One sentence for the manual: which tool writes it. */
  readonly source: string;
  /** 0 to 1 from the first 64 KiB; exclusive over the fixtures of evaluations and of training logs. Never looks at the name. */
  sniff(head: Uint8Array): number;
  parser(sink: EvalSink, options: EvalOptions): EvalParser;
}

/** A known kind of file that is no evaluation. */
export interface EvalRefusal {
  readonly id: string;
  /** What it is and what to do instead, as a sentence. */
  readonly message: string;
  /** From the first 64 KiB; true only on what is certainly this. */
  sniff(head: Uint8Array): boolean;
}

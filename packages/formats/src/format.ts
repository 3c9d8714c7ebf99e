import type { LogRecord, ParseIssue } from "@trainwatch/core";

export interface ParseOptions {
  /** IANA zone for times that name none; UTC and marked as assumed when absent. */
  readonly timeZone?: string;
  /** A time near the log's end (a file's modification time), epoch ms: gives the year to times that name none (absl); without it they are unknown. */
  readonly referenceTimeMs?: number;
  /** Column mapping for generic CSV and JSONL: canonical or source name of the step, time and label columns. */
  readonly columns?: { readonly step?: string; readonly time?: string };
}

export interface ParseSink {
  record(record: LogRecord): void;
  issue(issue: ParseIssue): void;
}

/** Bytes in, records and issues out. Never throws on input; memory is bounded whatever the chunking. */
export interface LogParser {
  push(chunk: Uint8Array): void;
  end(): void;
}

export interface LogFormat {
  /** Stable id, as `inspect --json` prints it. */
  readonly id: string;
  readonly title: string;
  /** One sentence for the manual: which tool writes it. */
  readonly source: string;
  /** 0 to 1 from the first 64 KiB of decompressed content; exclusive over all fixtures. Never looks at the file name. */
  sniff(head: Uint8Array): number;
  parser(sink: ParseSink, options: ParseOptions): LogParser;
}

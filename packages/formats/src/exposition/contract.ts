import type { ParseIssue } from "@trainwatch/core";

/** `text` is version 0.0.4 (times in ms, no end mark); `openmetrics` is OpenMetrics 1.0 (times in seconds, exemplars, `# EOF` at the end). */
export type ExpositionFormat = "text" | "openmetrics";

export const EXPOSITION_TYPES = [
  "counter",
  "gauge",
  "histogram",
  "gaugehistogram",
  "summary",
  "info",
  "stateset",
  "untyped",
  "unknown",
] as const;
export type ExpositionType = (typeof EXPOSITION_TYPES)[number];

export interface ExpositionSample {
  /** As exposed: `_total`, `_bucket`, `_created` and the like are part of it. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** A NaN is an ordinary one: text has no way to write the stale marker. */
  readonly value: number;
  /** Epoch ms where the exposer names a time; null: the time of the scrape. */
  readonly timeMs: number | null;
  /** From 1. */
  readonly line: number;
}

/** What an exposer says about a metric family. It is for people: how a value is to be read is the catalogue's word. */
export type ExpositionNote =
  | { readonly kind: "type"; readonly family: string; readonly type: ExpositionType; readonly line: number }
  | { readonly kind: "help" | "unit"; readonly family: string; readonly text: string; readonly line: number };

export interface ExpositionSink {
  sample(sample: ExpositionSample): void;
  note?(note: ExpositionNote): void;
  issue(issue: ParseIssue): void;
}

export interface ExpositionOptions {
  readonly format: ExpositionFormat;
  /** Samples given out at most; those beyond are counted. 200,000 where left out. */
  readonly maxSamples?: number;
}

export interface ExpositionSummary {
  /** Given to the sink. */
  readonly samples: number;
  readonly duplicates: number;
  readonly exemplars: number;
  /** Beyond `maxSamples`. */
  readonly beyondLimit: number;
  readonly issues: number;
  /** False where the end is missing: no `# EOF` (OpenMetrics), or a last line without its line break (text). */
  readonly isComplete: boolean;
}

/** Bytes in, samples out. Never throws on input; what comes out does not depend on the chunking. */
export interface ExpositionParser {
  push(chunk: Uint8Array): void;
  end(): ExpositionSummary;
}

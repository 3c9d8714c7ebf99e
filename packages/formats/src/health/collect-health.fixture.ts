import type { ParseIssue } from "@trainwatch/core";
import type { HealthEvent, HealthOptions, HealthParser, HealthReading, HealthSink } from "./contract.ts";

/** The same in Node and in browsers; pure packages see no host types. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

export interface CollectedHealth {
  readonly events: readonly HealthEvent[];
  readonly readings: readonly HealthReading[];
  readonly issues: readonly ParseIssue[];
}

/** Everything a health parser gives out for these chunks. */
export function collectHealth(
  parserOf: (sink: HealthSink, options: HealthOptions) => HealthParser,
  input: string | readonly Uint8Array[],
  options: HealthOptions = {},
): CollectedHealth {
  const events: HealthEvent[] = [];
  const readings: HealthReading[] = [];
  const issues: ParseIssue[] = [];
  const sink: HealthSink = {
    event: (event) => events.push(event),
    reading: (reading) => readings.push(reading),
    issue: (issue) => issues.push(issue),
  };
  const parser = parserOf(sink, options);
  for (const chunk of typeof input === "string" ? [new TextEncoder().encode(input)] : input) parser.push(chunk);
  parser.end();
  return { events, readings, issues };
}

import { type EvalRecordInput, type JsonNumber, toJsonNumber } from "@trainwatch/core";
import type { EvalSink } from "./format.ts";
import { recordSink } from "./record-sink.ts";

/** A sink that gives out only what ingest takes, and tells of the rest at the line that is read. */
export interface PlacedSink extends EvalSink {
  /** What follows is of this line, from 1. */
  at(line: number): void;
}

export function placedSink(sink: EvalSink): PlacedSink {
  const give = recordSink(sink);
  let current = 1;
  return {
    at(line) {
      current = line;
    },
    record: (record) => give(carried(record), current),
    issue: (issue) => sink.issue(issue),
  };
}

/** Non-finite numbers as records carry them: in words. */
function carried(record: EvalRecordInput): EvalRecordInput {
  if (record.kind === "measure") return { ...record, value: numberOf(record.value), stderr: numberOf(record.stderr ?? null) };
  if (record.kind !== "sample") return record;
  return { ...record, scores: Object.fromEntries(Object.entries(record.scores).map(([name, score]) => [name, numberOf(score)])) };
}

const numberOf = (value: JsonNumber): JsonNumber => (typeof value === "number" ? toJsonNumber(value) : value);

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
    record: (record) => give(record, current),
    issue: (issue) => sink.issue(issue),
  };
}

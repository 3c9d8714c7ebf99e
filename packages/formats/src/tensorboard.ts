import type { LogFormat, LogParser, ParseSink } from "./format.ts";
import { readEvent, type TensorboardEvent } from "./tensorboard/event.ts";
import { beginsWithRecord, recordReader } from "./tensorboard/record-reader.ts";
import { namePool } from "./text/name-pool.ts";

/**
 * TensorBoard event files. Each file is the work of one writer, so its beginning is a start marker of its own: overlapping files of
 * one run are attempts even where a writer left out `SessionLog.START`. Lines are records, counted from 1.
 */
export const tensorboard = {
  id: "tensorboard",
  title: "TensorBoard event file (tfevents)",
  source: "events.out.tfevents.* as written by TensorFlow, PyTorch, Lightning, Megatron-LM and many others.",
  sniff: (head) => (beginsWithRecord(head) ? 0.95 : 0),
  parser: (sink) => eventParser(sink),
} satisfies LogFormat;

function eventParser(sink: ParseSink): LogParser {
  const name = namePool();
  let whole = 0;
  let scalars = 0;
  let lastRecord = 1;

  function points(event: TensorboardEvent, line: number, timeMs: number | null): void {
    scalars += event.scalars.length;
    const step = Number(event.step);
    if (step < 0 || !Number.isSafeInteger(step)) {
      sink.issue({
        line,
        code: "bad-step",
        message: `The event has the step ${event.step}, which is ${step < 0 ? "negative" : "too large to be exact"}; it was left out.`,
      });
      return;
    }
    const values = event.scalars.map(([tag, value]): readonly [string, number] => [name(tag), value]);
    sink.record({ kind: "points", line, step, stepUnit: "optimizer-steps", timeMs, labels: {}, values });
  }

  function session({ session: log, step }: TensorboardEvent, line: number, timeMs: number | null): void {
    if (log?.status === "start") sink.record({ kind: "start", line, reason: "SessionLog.START", timeMs });
    const at = Number(step);
    if (log?.status !== "checkpoint" || at < 0 || !Number.isSafeInteger(at)) return;
    sink.record({ kind: "checkpoint", line, step: at, path: log.checkpointPath ?? null, state: "unchecked", timeMs });
  }

  const reader = recordReader({
    record(data, line) {
      whole++;
      lastRecord = line;
      const event = readEvent(data);
      if (event === undefined) {
        sink.issue({ line, code: "bad-event", message: "The record is intact but holds no TensorBoard event; it was left out." });
        return;
      }
      const timeMs = event.wallTime !== undefined && Number.isFinite(event.wallTime) && event.wallTime > 0 ? event.wallTime * 1000 : null;
      if (event.fileVersion !== undefined) sink.record({ kind: "start", line, reason: "an event file begins", timeMs });
      if (event.session !== undefined) session(event, line, timeMs);
      if (event.scalars.length > 0) points(event, line, timeMs);
    },
    damaged: (line, at, message) => sink.issue({ line, code: "bad-record", message: `The record at byte ${at} is damaged: ${message}.` }),
    cut: (line, at, end) =>
      sink.issue({
        line,
        code: "cut-record",
        message: `The file ends at byte ${end}, inside the record that begins at byte ${at}: it was cut, or is still being written. The ${whole} whole records before it are read.`,
      }),
  });

  return {
    push: (chunk) => reader.push(chunk),
    end() {
      reader.end();
      if (whole > 0 && scalars === 0)
        sink.issue({ line: lastRecord, code: "no-scalars", message: `The event file holds ${whole} records and none with a scalar.` });
    },
  };
}

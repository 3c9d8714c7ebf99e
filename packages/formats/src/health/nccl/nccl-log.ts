import { stripAnsi } from "../../text/ansi.ts";
import { withoutCollectorStamp } from "../../text/collector-stamp.ts";
import { lineSplitter, MAX_LINE_CHARS } from "../../text/line-splitter.ts";
import { healthEvent, type HealthOptions, type HealthParser, type HealthSink } from "../contract.ts";
import { lineClock } from "../kernel/line-time.ts";
import { ncclEvents } from "./nccl-line.ts";

/** Time-outs remembered, to tell none twice: a job of 16,384 ranks tells its last ones within seconds. */
const MAX_REMEMBERED = 32_768;

/** A reader of a trainer's lines one at a time. */
export interface NcclLineReader {
  /** @param line without its break @param number from 1, for the event */
  line(line: string, number: number): void;
}

/**
 * Warnings of NCCL and time-outs of PyTorch's watchdog in a trainer's log (stdout or stderr, of one rank or of all), each time-out of a rank
 * once. The time is the line's own, else that of a log collector's stamp, else unknown.
 */
export function ncclLineReader(sink: Pick<HealthSink, "event" | "issue">, options: HealthOptions = {}): NcclLineReader {
  const told = new Set<string>();
  let current = 1;
  const clock = lineClock(options, () =>
    sink.issue({ line: current, code: "zone-assumed", message: "Times name no zone and are taken as UTC; name one by --tz." }),
  );

  function isRepeat(key: string | null): boolean {
    if (key === null) return false;
    if (told.has(key)) return true;
    const [oldest] = told;
    if (told.size >= MAX_REMEMBERED && oldest !== undefined) told.delete(oldest);
    told.add(key);
    return false;
  }

  return {
    line(line, number) {
      current = number;
      // Most lines are none of ours: look before anything is taken apart.
      if (!line.includes("NCCL")) return;
      const { text, time: collected } = withoutCollectorStamp(stripAnsi(line));
      for (const { parts, time, key } of ncclEvents(text)) {
        if (isRepeat(key)) continue;
        const ownMs = clock(time);
        const timeMs = ownMs ?? (collected === undefined ? null : clock({ kind: "civil", time: collected }));
        sink.event(healthEvent(parts, timeMs, number));
      }
    },
  };
}

/** {@link ncclLineReader} over bytes. */
export function ncclLogParser(sink: HealthSink, options: HealthOptions = {}): HealthParser {
  const reader = ncclLineReader(sink, options);
  return lineSplitter({
    line: (text, number) => reader.line(text, number),
    tooLong: (number) =>
      sink.issue({ line: number, code: "line-too-long", message: `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.` }),
  });
}

import type { LogParser, ParseOptions, ParseSink } from "../format.ts";
import { stripAnsi } from "./ansi.ts";
import { withoutCollectorStamp } from "./collector-stamp.ts";
import { lineSplitter, MAX_LINE_CHARS } from "./line-splitter.ts";
import { namePool } from "./name-pool.ts";
import type { CivilTime } from "./timestamp.ts";
import { zoneClock } from "./zone-clock.ts";

/** What a text format needs while it reads: where records go, times in epoch ms, names as single strings. */
export interface LineContext {
  readonly sink: ParseSink;
  epochMs(time: CivilTime): number;
  name(text: string): string;
  /** A launch begins here. Further markers before the first point (banner, then "training starts") are the same launch. */
  start(line: number, reason: string, timeMs: number | null): void;
}

export interface LineHandler {
  /**
   * One line as the program wrote it, colours removed, never empty. `number` counts physical lines from 1;
   * `collectedMs` is when a log collector took it (epoch ms), for lines that carry no time of their own.
   */
  line(text: string, number: number, collectedMs: number | null): void;
  /** After the last line: give out what was held back. */
  end?(): void;
}

/** Makes a parser of a line handler: bounded lines, chunking, colours, zone and the doubt about an unfinished last line. */
export function lineParser(sink: ParseSink, options: ParseOptions, handlerOf: (context: LineContext) => LineHandler): LogParser {
  let currentLine = 1;
  let points = 0;
  let pointsAtStart = -1;
  const counting: ParseSink = {
    record(record) {
      if (record.kind === "points") points += 1;
      sink.record(record);
    },
    issue: (issue) => sink.issue(issue),
  };
  function start(line: number, reason: string, timeMs: number | null): void {
    if (points === pointsAtStart) return;
    pointsAtStart = points;
    sink.record({ kind: "start", line, reason, timeMs });
  }
  const clock = zoneClock({
    timeZone: options.timeZone,
    onAssumed: () => sink.record({ kind: "meta", line: currentLine, key: "timeZoneAssumed", value: "UTC" }),
  });
  const handler = handlerOf({ sink: counting, epochMs: (time) => clock.epochMs(time), name: namePool(), start });

  const splitter = lineSplitter({
    line(raw, number, terminated) {
      currentLine = number;
      const { text, time } = withoutCollectorStamp(stripAnsi(raw));
      if (text === "") return;
      const before = points;
      handler.line(text, number, time === undefined ? null : clock.epochMs(time));
      if (!terminated && points > before) doubtUnfinished(text, number);
    },
    tooLong(number) {
      sink.issue({ line: number, code: "line-too-long", message: `The line is longer than ${MAX_LINE_CHARS} characters and was skipped.` });
    },
  });

  /** `loss:2.4` may be the head of `loss:2.41`: the point is kept, the doubt is said. */
  function doubtUnfinished(text: string, number: number): void {
    if (!/[0-9.eE+-]$/.test(text)) return;
    sink.issue({ line: number, code: "unfinished-line", message: "The last line has no line break; its last value may be cut short." });
  }

  return {
    push: (chunk) => splitter.push(chunk),
    end() {
      splitter.end();
      handler.end?.();
    },
  };
}

import { stat } from "node:fs/promises";
import { AppError } from "@trainwatch/core";
import type { LogRecord } from "@trainwatch/core";
import type { ParseOptions } from "@trainwatch/formats";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "./input-fault.ts";
import { IssueList } from "./issue-list.ts";
import type { OpenLog } from "./open-log.ts";
import { StorableRecords } from "./storable-record.ts";

/** What became of one input. */
export interface ReadOutcome {
  readonly lines: number;
  /** Values, not lines. */
  readonly points: number;
  readonly issues: IssueList;
  /** Why it gave nothing, or not all. */
  readonly fault: InputFault | null;
}

/** It broke off, after values that are as good as any. */
export function isPartial({ fault, points }: Pick<ReadOutcome, "fault" | "points">): boolean {
  return fault !== null && points > 0;
}

const NEWLINE = 10;

/** Streams one log through its parser. `take` is called for each record in order; after each chunk `between` may wait. */
export async function readLog(
  path: string,
  log: OpenLog,
  options: ParseOptions,
  io: CommandIo,
  take: (record: LogRecord) => void,
  between: () => Promise<void> | undefined = () => undefined,
): Promise<ReadOutcome> {
  const issues = new IssueList();
  const lines = new LineCount();
  let points = 0;
  const storable = new StorableRecords((issue) => issues.add(issue));
  const sink = {
    record(given: LogRecord): void {
      const record = storable.clean(given);
      if (record.kind === "points") points += record.values.length;
      lines.seen(record.line);
      take(record);
    },
    issue: (issue: { readonly line: number; readonly code: string; readonly message: string }): void => issues.add(issue),
  };
  const parser = log.format.parser(sink, { ...options, referenceTimeMs: await referenceTime(path, io) });
  const whole = new WholeLines((chunk) => {
    lines.count(chunk);
    parser.push(chunk);
  });
  for await (const chunk of log.chunks()) {
    if (io.stop.aborted) throw new AppError("unavailable", `Stopped while reading ${path}.`);
    whole.push(chunk);
    await between();
  }
  whole.end(log.fault() !== null);
  parser.end();
  await between();
  const fault = log.fault() ?? (points === 0 ? noPoints(path, log) : null);
  if (fault !== null) issues.add({ line: lines.total() === 0 ? null : lines.total(), code: fault.code, message: fault.message });
  return { lines: lines.total(), points, issues, fault };
}

function noPoints(path: string, log: OpenLog): InputFault {
  return {
    code: "no-points",
    message: `${path}: it looks like ${log.format.title} but holds no measurement; check that training got to its first logged step.`,
  };
}

/** A year for logs that name none: when the file was last written. */
export async function referenceTime(path: string, io: CommandIo): Promise<number> {
  return path === "-" ? io.now() : (await stat(path)).mtimeMs;
}

/**
 * Hands chunks on, and keeps back what stands behind the last line break of each until more has come. Where an input breaks off, that is
 * half a line, and half a number reads as a number: 2.3 of 2.345 must not be taken for a measurement.
 */
class WholeLines {
  private readonly give: (chunk: Uint8Array) => void;
  private held: Uint8Array | null = null;
  private hasLines = false;

  constructor(give: (chunk: Uint8Array) => void) {
    this.give = give;
  }

  push(chunk: Uint8Array): void {
    if (this.held !== null) this.give(this.held);
    const cut = chunk.lastIndexOf(NEWLINE) + 1;
    if (cut > 0) {
      this.hasLines = true;
      this.give(chunk.subarray(0, cut));
    }
    this.held = cut < chunk.length ? chunk.subarray(cut) : null;
  }

  /** @param isCut the input has broken off; a document without a line break is given on all the same: its parser knows where it ends */
  end(isCut: boolean): void {
    if (this.held !== null && !(isCut && this.hasLines)) this.give(this.held);
  }
}

/** Lines of text; for binary files, which have none, the records that their parser counts. */
class LineCount {
  private newlines = 0;
  private bytes = 0;
  private lastByte = NEWLINE;
  private binary = false;
  private highest = 0;

  count(chunk: Uint8Array): void {
    if (this.bytes === 0) this.binary = chunk.subarray(0, 4096).includes(0);
    this.bytes += chunk.length;
    this.lastByte = chunk.at(-1) ?? this.lastByte;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) this.newlines++;
  }

  seen(line: number): void {
    if (line > this.highest) this.highest = line;
  }

  total(): number {
    if (this.binary) return this.highest;
    return this.newlines + (this.bytes > 0 && this.lastByte !== NEWLINE ? 1 : 0);
  }
}

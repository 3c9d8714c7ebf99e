import { AppError } from "@trainwatch/core";
import type { HealthFormat, ParseOptions } from "@trainwatch/formats";
import type { CommandIo } from "../../frame/io.ts";
import { IssueList } from "../../inputs/issue-list.ts";
import type { InputFault } from "../../inputs/input-fault.ts";
import type { OpenInput } from "../../inputs/open-log.ts";
import { referenceTime } from "../../inputs/read-log.ts";
import { EventGroups } from "./event-groups.ts";
import { ReadingSummary } from "./reading-summary.ts";

/** A machine's log or output as inspected. */
export interface InspectedHealth {
  readonly path: string;
  /** Id of a health format. */
  readonly format: string;
  readonly events: EventGroups;
  readonly readings: ReadingSummary;
}

export interface HealthOutcome {
  readonly health: InspectedHealth;
  readonly lines: number;
  readonly issues: IssueList;
  readonly fault: InputFault | null;
}

const NEWLINE = 10;

/** Streams one input through the parser of its health format. */
export async function readHealth(
  path: string,
  input: OpenInput,
  format: HealthFormat,
  { timeZone }: ParseOptions,
  io: CommandIo,
): Promise<HealthOutcome> {
  const issues = new IssueList();
  const health: InspectedHealth = { path, format: format.id, events: new EventGroups(), readings: new ReadingSummary() };
  const sink = {
    event: (event: Parameters<EventGroups["add"]>[0]): void => health.events.add(event),
    reading: (reading: Parameters<ReadingSummary["add"]>[0]): void => health.readings.add(reading),
    // Of a document that is read as a whole the parser knows no line.
    issue: (issue: Parameters<IssueList["add"]>[0]): void => issues.add(issue.line === 0 ? { ...issue, line: null } : issue),
  };
  const options = { referenceTimeMs: await referenceTime(path, io), ...(timeZone === undefined ? {} : { timeZone }) };
  const parser = format.parser(sink, options);
  let lines = 0;
  let lastByte = NEWLINE;
  for await (const chunk of input.chunks()) {
    if (io.stop.aborted) throw new AppError("unavailable", `Stopped while reading ${path}.`);
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
    lastByte = chunk.at(-1) ?? lastByte;
    parser.push(chunk);
  }
  parser.end();
  const fault = input.fault();
  if (fault !== null) issues.add({ line: lines === 0 ? null : lines, code: fault.code, message: fault.message });
  return { health, lines: lines + (lastByte === NEWLINE ? 0 : 1), issues, fault };
}

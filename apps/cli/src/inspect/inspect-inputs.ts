import type { Readable } from "node:stream";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import type { Issue } from "../inputs/issue-list.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import { openLog } from "../inputs/open-log.ts";
import { isCumulative } from "../inputs/plan-runs.ts";
import type { PlannedRun } from "../inputs/plan-runs.ts";
import { readLog } from "../inputs/read-log.ts";
import type { ReadSettings } from "../inputs/read-settings.ts";
import { RepeatFilter } from "../inputs/repeat-filter.ts";
import { RunSplitter } from "../inputs/run-splitter.ts";
import { RecorderSet } from "./recorder-set.ts";
import type { InspectedRun } from "./recorder-set.ts";

export interface InspectedInput {
  readonly path: string;
  /** Format id; null where none was recognised. */
  readonly format: string | null;
  readonly lines: number | null;
  readonly points: number;
  /** Points that an earlier input of the same run had given. */
  readonly repeated: number;
  readonly issues: readonly Issue[];
  readonly issuesTotal: number;
  readonly fault: InputFault | null;
}

export interface Inspection {
  readonly inputs: readonly InspectedInput[];
  /** Files of a walked directory that are no logs. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  readonly runs: readonly InspectedRun[];
}

/** Reads every planned input once, run by run. Inputs that cannot be read are reported and the rest goes on. */
export async function inspectInputs(
  listed: readonly ListedInput[],
  planned: readonly PlannedRun[],
  settings: ReadSettings,
  io: CommandIo,
  stdin: Readable,
): Promise<Inspection> {
  const reports = new Map<ListedInput, InspectedInput>();
  const skipped: { path: string; why: string }[] = [];
  const runs: InspectedRun[] = [];
  for (const input of listed) if (input.fault !== null) reports.set(input, faulty(input.path, null, input.fault));
  for (const plan of planned) {
    const set = new RecorderSet();
    const repeats = plan.inputs.length > 1 ? new RepeatFilter() : null;
    for (const input of plan.inputs) {
      const report = await inspectInput({ input, plan, set, repeats, settings, stdin }, io);
      if (report.fault !== null && report.points === 0 && input.walked) skipped.push({ path: input.path, why: report.fault.message });
      else reports.set(input, report);
    }
    runs.push(...set.finish());
  }
  return { inputs: listed.flatMap((input) => reports.get(input) ?? []), skipped, runs };
}

interface Reading {
  readonly input: ListedInput;
  readonly plan: PlannedRun;
  readonly set: RecorderSet;
  /** Where several inputs make one run; null where there is one. */
  readonly repeats: RepeatFilter | null;
  readonly settings: ReadSettings;
  readonly stdin: Readable;
}

async function inspectInput({ input, plan, set, repeats, settings, stdin }: Reading, io: CommandIo): Promise<InspectedInput> {
  const opening = await openLog(input.path, stdin, settings.format);
  if (!opening.ok) return faulty(input.path, null, opening.fault);
  const { log } = opening;
  // A cumulative file is the same launch told once more, and longer.
  if (!isCumulative(log.format)) set.beginInput();
  const filter = repeats !== null && isCumulative(log.format) ? repeats : null;
  const before = filter?.repeated ?? 0;
  const splitter = new RunSplitter(plan, plan.isNamed);
  const outcome = await readLog(input.path, log, settings.parse, io, (record) => {
    const kept = filter === null ? record : filter.pass(record);
    if (kept !== null) set.accept(splitter.route(kept));
  });
  set.endOfInput();
  return {
    path: input.path,
    format: log.format.id,
    lines: outcome.lines,
    points: outcome.points,
    repeated: (filter?.repeated ?? 0) - before,
    issues: outcome.issues.listed,
    issuesTotal: outcome.issues.total,
    fault: outcome.fault,
  };
}

function faulty(path: string, format: string | null, fault: InputFault): InspectedInput {
  return {
    path,
    format,
    lines: null,
    points: 0,
    repeated: 0,
    issues: [{ line: null, code: fault.code, message: fault.message }],
    issuesTotal: 1,
    fault,
  };
}

import type { Readable } from "node:stream";
import { detectHealthFormat, detectMeasurements, looksLikeDump } from "@trainwatch/formats";
import type { HealthFormat, MeasurementFormat } from "@trainwatch/formats";
import type { CommandIo } from "../frame/io.ts";
import type { InputFault } from "../inputs/input-fault.ts";
import type { Issue } from "../inputs/issue-list.ts";
import type { ListedInput } from "../inputs/list-inputs.ts";
import { asLog, openInput } from "../inputs/open-log.ts";
import type { OpenInput } from "../inputs/open-log.ts";
import { isCumulative } from "../inputs/plan-runs.ts";
import type { PlannedRun } from "../inputs/plan-runs.ts";
import { readLog, referenceTime } from "../inputs/read-log.ts";
import type { ReadSettings } from "../inputs/read-settings.ts";
import { RepeatFilter } from "../inputs/repeat-filter.ts";
import { RunSplitter } from "../inputs/run-splitter.ts";
import { RecorderSet } from "./recorder-set.ts";
import type { InspectedRun } from "./recorder-set.ts";
import { FLIGHT_FORMAT, FlightFolders, readDumpFile } from "./flight/flight-folder.ts";
import type { InspectedFlight } from "./flight/flight-folder.ts";
import { readMeasurements } from "./measurements/read-measurements.ts";
import type { InspectedMeasurements } from "./measurements/read-measurements.ts";
import { NcclScan } from "./health/nccl-scan.ts";
import { readHealth } from "./health/read-health.ts";
import type { InspectedHealth } from "./health/read-health.ts";

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
  /** Inputs that are no trainer's log but a machine's (kernel logs, exporters' answers, what nvidia-smi and others print), and what NCCL says in trainers' logs. */
  readonly health: readonly InspectedHealth[];
  /** Dumps of the NCCL flight recorder, by folder. */
  readonly flights: readonly InspectedFlight[];
  /** Results of benchmarks and probes. */
  readonly measurements: readonly InspectedMeasurements[];
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
  const health: InspectedHealth[] = [];
  const flights = new FlightFolders();
  const measurements: InspectedMeasurements[] = [];
  for (const input of listed) if (input.fault !== null) reports.set(input, faulty(input.path, null, input.fault));
  for (const plan of planned) {
    const set = new RecorderSet();
    const repeats = plan.inputs.length > 1 ? new RepeatFilter() : null;
    for (const input of plan.inputs) {
      const report = await inspectInput({ input, plan, set, repeats, settings, stdin, health, flights, measurements }, io);
      if (report.fault !== null && report.points === 0 && input.walked && !health.some(({ path }) => path === input.path))
        skipped.push({ path: input.path, why: report.fault.message });
      else reports.set(input, report);
    }
    runs.push(...set.finish());
  }
  return { inputs: listed.flatMap((input) => reports.get(input) ?? []), skipped, runs, health, flights: flights.judged(), measurements };
}

interface Reading {
  readonly input: ListedInput;
  readonly plan: PlannedRun;
  readonly set: RecorderSet;
  /** Where several inputs make one run; null where there is one. */
  readonly repeats: RepeatFilter | null;
  readonly settings: ReadSettings;
  readonly stdin: Readable;
  /** Where it is put if it is a machine's and no trainer's. */
  readonly health: InspectedHealth[];
  /** Where it is put if it is a flight recorder's dump. */
  readonly flights: FlightFolders;
  /** Where it is put if it is a benchmark's result. */
  readonly measurements: InspectedMeasurements[];
}

async function inspectInput(reading: Reading, io: CommandIo): Promise<InspectedInput> {
  const { input, plan, set, repeats, settings, stdin } = reading;
  const opened = await openInput(input.path, stdin);
  if (!opened.ok) return faulty(input.path, null, opened.fault);
  if (settings.format === null && looksLikeDump(opened.input.head)) return inspectDump(reading, opened.input, io);
  const healthFormat = settings.format === null ? detectHealthFormat(opened.input.head) : null;
  if (healthFormat !== null) return inspectHealth(reading, opened.input, healthFormat, io);
  const measured = settings.format === null ? detectMeasurements(opened.input.head) : null;
  if (measured !== null) return inspectMeasurements(reading, opened.input, measured, io);
  const opening = await asLog(input.path, opened.input, settings.format);
  if (!opening.ok) return faulty(input.path, null, opening.fault);
  const { log } = opening;
  // A cumulative file is the same launch told once more, and longer.
  if (!isCumulative(log.format)) set.beginInput();
  const filter = repeats !== null && isCumulative(log.format) ? repeats : null;
  const before = filter?.repeated ?? 0;
  const splitter = new RunSplitter(plan, plan.isNamed);
  const scan = new NcclScan(input.path, { referenceTimeMs: await referenceTime(input.path, io), ...zoneOf(settings) });
  const outcome = await readLog(input.path, { ...log, chunks: () => passing(log.chunks(), scan) }, settings.parse, io, (record) => {
    const kept = filter === null ? record : filter.pass(record);
    if (kept !== null) set.accept(splitter.route(kept));
  });
  set.endOfInput();
  const said = scan.end();
  if (said !== null) reading.health.push(said);
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

/** The same chunks, seen by the scan on their way. */
async function* passing(chunks: AsyncGenerator<Uint8Array, void, undefined>, scan: NcclScan): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    scan.push(chunk);
    yield chunk;
  }
}

function zoneOf({ parse }: ReadSettings): { readonly timeZone?: string } {
  return parse.timeZone === undefined ? {} : { timeZone: parse.timeZone };
}

async function inspectHealth(
  { input, settings, health }: Reading,
  opened: OpenInput,
  format: HealthFormat,
  io: CommandIo,
): Promise<InspectedInput> {
  const outcome = await readHealth(input.path, opened, format, settings.parse, io);
  health.push(outcome.health);
  const { lines, issues, fault } = outcome;
  return { path: input.path, format: format.id, lines, points: 0, repeated: 0, issues: issues.listed, issuesTotal: issues.total, fault };
}

async function inspectMeasurements(
  { input, settings, health, measurements }: Reading,
  opened: OpenInput,
  format: MeasurementFormat,
  io: CommandIo,
): Promise<InspectedInput> {
  const scan = new NcclScan(input.path, { referenceTimeMs: await referenceTime(input.path, io), ...zoneOf(settings) });
  const { measured, lines, fault } = await readMeasurements(input.path, opened, format, io, (chunk) => scan.push(chunk));
  const said = scan.end();
  if (said !== null) health.push(said);
  if (fault !== null) return { ...faulty(input.path, format.id, fault), lines };
  measurements.push(measured);
  return { path: input.path, format: format.id, lines, points: 0, repeated: 0, issues: [], issuesTotal: 0, fault: null };
}

async function inspectDump({ input, flights }: Reading, opened: OpenInput, io: CommandIo): Promise<InspectedInput> {
  const outcome = await readDumpFile(input.path, opened, io);
  if ("fault" in outcome) return faulty(input.path, FLIGHT_FORMAT, outcome.fault);
  flights.add(input.path, outcome.dump);
  return { path: input.path, format: FLIGHT_FORMAT, lines: null, points: 0, repeated: 0, issues: [], issuesTotal: 0, fault: null };
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

import { AppError } from "@trainwatch/core";
import { type MeasuredFact, judgeMeasurements } from "@trainwatch/detect";
import type { MeasurementFormat, MeasurementNote } from "@trainwatch/formats";
import type { CommandIo } from "../../frame/io.ts";
import type { InputFault } from "../../inputs/input-fault.ts";
import type { OpenInput } from "../../inputs/open-log.ts";

/** Results of a benchmark or a probe, judged. */
export interface InspectedMeasurements {
  readonly path: string;
  /** Id of a measurement format. */
  readonly format: string;
  readonly tables: readonly {
    readonly title: string;
    readonly unit: string;
    readonly values: number;
    readonly facts: readonly MeasuredFact[];
  }[];
  readonly notes: readonly MeasurementNote[];
}

/** More than any benchmark prints; beyond, it is taken for what it is not. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a whole log of measurements and judges each of its tables. */
export async function readMeasurements(
  path: string,
  input: OpenInput,
  format: MeasurementFormat,
  io: CommandIo,
  see: (chunk: Uint8Array) => void,
): Promise<{ readonly measured: InspectedMeasurements; readonly lines: number; readonly fault: InputFault | null }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input.chunks()) {
    if (io.stop.aborted) throw new AppError("unavailable", `Stopped while reading ${path}.`);
    size += chunk.length;
    if (size > MAX_BYTES) break;
    see(chunk);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const log = format.read(text);
  const tables = log.tables.map((table) => ({
    title: table.title,
    unit: table.unit,
    values: table.rows.length,
    facts: judgeMeasurements(table),
  }));
  return {
    measured: { path, format: format.id, tables, notes: log.notes },
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    fault: faultOf(path, input, format, { size, isEmpty: tables.length === 0 }),
  };
}

function faultOf(
  path: string,
  input: OpenInput,
  format: MeasurementFormat,
  { size, isEmpty }: { readonly size: number; readonly isEmpty: boolean },
): InputFault | null {
  if (size > MAX_BYTES)
    return {
      code: "read-error",
      message: `${path}: it looks like ${format.title} but has more than ${MAX_BYTES} bytes; cut it to one run of the benchmark.`,
    };
  return (
    input.fault() ??
    (isEmpty
      ? {
          code: "no-points",
          message: `${path}: it looks like ${format.title} but holds no measurement; check that the benchmark got to its first result.`,
        }
      : null)
  );
}

/** Whether anything in it is worth a look. */
export function isOdd({ tables, notes }: InspectedMeasurements): boolean {
  return notes.some(({ isFault }) => isFault) || tables.some(({ facts }) => facts.some((fact) => fact.isOdd));
}

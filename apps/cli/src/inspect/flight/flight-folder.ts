import { basename, dirname } from "node:path";
import { AppError, type FlightDump } from "@trainwatch/core";
import { type FlightAnalysis, rankSuspects } from "@trainwatch/detect";
import { MAX_DUMP_BYTES, rankOfDumpName, readDumpBytes } from "@trainwatch/formats";
import type { CommandIo } from "../../frame/io.ts";
import type { InputFault } from "../../inputs/input-fault.ts";
import type { OpenInput } from "../../inputs/open-log.ts";

/** The dumps of one hang: those that lie in one folder. */
export interface InspectedFlight {
  readonly folder: string;
  /** Ranks that have left a dump, ascending. */
  readonly ranks: readonly number[];
  readonly analysis: FlightAnalysis;
}

/** Id under which an input that is a dump is reported. */
export const FLIGHT_FORMAT = "flight-recorder";

/** Collects dumps by the folder they lie in: each folder is judged by itself, however many ranks have left nothing in it (E8). */
export class FlightFolders {
  private readonly folders = new Map<string, FlightDump[]>();

  add(path: string, dump: FlightDump): void {
    const folder = dirname(path);
    this.folders.set(folder, [...(this.folders.get(folder) ?? []), dump]);
  }

  judged(): readonly InspectedFlight[] {
    return [...this.folders].map(([folder, dumps]) => ({
      folder,
      ranks: dumps.map(({ rank }) => rank).sort((a, b) => a - b),
      analysis: rankSuspects(dumps),
    }));
  }
}

/** Reads one dump to its end. Its rank stands in its name only. */
export async function readDumpFile(
  path: string,
  input: OpenInput,
  io: CommandIo,
): Promise<{ readonly dump: FlightDump } | { readonly fault: InputFault }> {
  const rank = rankOfDumpName(basename(path).replace(/\.gz$/, ""));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input.chunks()) {
    if (io.stop.aborted) throw new AppError("unavailable", `Stopped while reading ${path}.`);
    size += chunk.length;
    if (size > MAX_DUMP_BYTES) break;
    chunks.push(chunk);
  }
  const fault = input.fault();
  if (fault !== null) return { fault };
  if (rank === null)
    return {
      fault: dumpFault(path, "its name does not end in the rank's number; rename it as PyTorch does, to nccl_trace_rank_3 for rank 3"),
    };
  if (size > MAX_DUMP_BYTES) return { fault: dumpFault(path, `it has more than ${MAX_DUMP_BYTES} bytes`) };
  const outcome = readDumpBytes(Buffer.concat(chunks), rank);
  return "fault" in outcome ? { fault: dumpFault(path, outcome.fault) } : outcome;
}

function dumpFault(path: string, why: string): InputFault {
  return { code: "unreadable-dump", message: `${path}: it looks like a dump of the NCCL flight recorder, but ${why}.` };
}

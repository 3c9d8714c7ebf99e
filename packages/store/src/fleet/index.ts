import type pg from "pg";
import { lateBlocks } from "./block-late.ts";
import type { FleetReader, FleetWriter } from "./contract.ts";
import { countReadings, type ReadingCounts } from "./count-readings.ts";
import { createFleetWriter } from "./create-writer.ts";
import { createFleetMaintenance, type FleetMaintenance } from "./pack.ts";
import { createFleetReader } from "./read.ts";
import { createReadersFirst } from "./readers-first.ts";

/** Readings of the fleet, by series and time; see README.md beside this file. */
export interface FleetStore extends FleetMaintenance {
  readonly writer: FleetWriter;
  readonly reader: FleetReader;
  /** Adds to what the status line counts; `writer` names the process. */
  count(writer: string, nowMs: number, counts: ReadingCounts): Promise<void>;
}

export function createFleet(pool: pg.Pool): FleetStore {
  const readersFirst = createReadersFirst();
  return {
    writer: createFleetWriter(pool, lateBlocks, readersFirst.rest),
    reader: readersFirst.watch(createFleetReader(pool)),
    ...createFleetMaintenance(pool),
    count: (writer, nowMs, counts) => countReadings(pool, writer, nowMs, counts),
  };
}
export * from "./contract.ts";
export type { ReadingCounts } from "./count-readings.ts";
export type { PackFault } from "./pack-group.ts";
export { createPace, type Pace } from "./pack-pace.ts";
export { bucketPlan } from "./read-edges.ts";
export type { FleetRetention } from "./retention.ts";

import { coverageOf, type CoverageEntry } from "./cursor-records.ts";
import type { Db } from "./db.ts";
import { jsonText } from "./json.ts";

/** What the detectors of the fleet know after a tick; stored with what they found in it. */
export interface FleetDetectState {
  /** Epoch ms of the last tick that was judged. */
  readonly tickMs: number;
  /** JSON-safe; its maker knows what is in it. */
  readonly state: unknown;
  readonly coverage: readonly CoverageEntry[];
}

export interface FleetDetectRecords {
  /** Null before the first tick. */
  get(): Promise<FleetDetectState | null>;
  put(state: FleetDetectState, nowMs: number): Promise<void>;
}

/** There is one fleet. */
const ROW = 1;

export function createFleetDetectRecords(db: Db): FleetDetectRecords {
  return {
    async get() {
      const row = await db.fleetDetect.findUnique({ where: { id: ROW } });
      return row === null ? null : { tickMs: row.tickMs, state: row.state, coverage: coverageOf(row.coverage) };
    },
    async put({ tickMs, state, coverage }, nowMs) {
      await db.$executeRaw`
        INSERT INTO fleet_detect (id, tick_ms, state, coverage, updated_at_ms)
        VALUES (${ROW}::int, ${tickMs}::float8, ${jsonText(state)}::jsonb, ${jsonText(coverage)}::jsonb, ${nowMs}::float8)
        ON CONFLICT (id) DO UPDATE SET tick_ms = excluded.tick_ms, state = excluded.state, coverage = excluded.coverage, updated_at_ms = excluded.updated_at_ms`;
    },
  };
}

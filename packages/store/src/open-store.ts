import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { deleteRun } from "./delete-run.ts";
import { createEvaluations, type Evaluations } from "./evaluations/index.ts";
import { createFleet, type FleetStore } from "./fleet/index.ts";
import { PrismaClient } from "./generated/client.ts";
import { type Ingest, createIngest } from "./ingest/index.ts";
import { migrate } from "./migrate/index.ts";
import { createPool } from "./pool/index.ts";
import { createRecords, type Records } from "./records/index.ts";
import { type Samples, createSamples } from "./samples/index.ts";

export interface StoreOptions {
  readonly url: string;
  /** Connections at most; 10 where left out. */
  readonly poolSize?: number;
  /** False takes the database as it is: for a command that only looks. */
  readonly migrate?: boolean;
  /** Idle connections were lost, and why, in a few words. The next query opens another, so this is for a log. */
  readonly onIdleLoss?: (why: string) => void;
}

/** All that Trainwatch keeps. */
export interface Store {
  readonly pool: pg.Pool;
  readonly records: Records;
  readonly samples: Samples;
  readonly ingest: Ingest;
  readonly fleet: FleetStore;
  readonly evaluations: Evaluations;
  /** Deletes a run with all that hangs on it, samples included. False where there is none. */
  deleteRun(runId: number): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens the database of `url` and brings it to this version's schema.
 * @throws AppError `unavailable` if it cannot be reached or migrated.
 */
export async function openStore({
  url,
  poolSize = 10,
  migrate: isMigrated = true,
  onIdleLoss = () => undefined,
}: StoreOptions): Promise<Store> {
  if (isMigrated) await migrate(url);
  const pool = createPool({ url, size: poolSize, onIdleLoss });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    records: createRecords(prisma),
    samples: createSamples(pool),
    ingest: createIngest(pool),
    fleet: createFleet(pool),
    evaluations: createEvaluations(pool),
    deleteRun: (runId) => deleteRun(pool, runId),
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

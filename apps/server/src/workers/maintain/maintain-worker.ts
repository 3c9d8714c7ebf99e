import type { Lease, PackFault, Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import { randomUUID } from "node:crypto";
import type { MoveRelay } from "../../live/move-relay.ts";
import type { Worker } from "../detect/detect-worker.ts";
import { createPulse } from "../pulse.ts";
import { deleteOldRuns } from "./delete-old-runs.ts";
import { maintainFleet } from "./maintain-fleet.ts";
import { updateRunStates } from "./update-run-states.ts";

export interface MaintainWorkerOptions {
  readonly store: Store;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
}

const LEASE = "maintain";
const LEASE_TTL_MS = 30_000;
/** A run that falls silent is seen as such within so long. */
const ROUND_MS = 5_000;
const SLOW_ROUND_MS = 10 * 60_000;
/** Answers to pushes are kept so long; a push sent again after that is known by its points. */
const BATCH_MEMORY_MS = 7 * 86_400_000;

/** What must be done as time passes: states of runs, packing of samples and of the fleet's readings, retention, sessions that are over. One process at a time. */
export function startMaintainWorker({ store, moves, now, logger }: MaintainWorkerOptions): Worker {
  const holder = randomUUID();
  let slowRoundAtMs = Number.NEGATIVE_INFINITY;
  let lease: Lease | null = null;

  const tellFault = (fault: PackFault): void =>
    logger.error(fault, "stored readings of a group are damaged and are passed over; a tail with such rows is kept as a table of its own");

  const round = async (signal: AbortSignal): Promise<boolean> => {
    lease = await store.records.leases.acquire(LEASE, holder, LEASE_TTL_MS);
    if (lease === null) return false;
    await updateRunStates(store.records, moves, now());
    const moreSamples = await store.samples.maintain(signal);
    if (now() - slowRoundAtMs >= SLOW_ROUND_MS) {
      slowRoundAtMs = now();
      await store.records.sessions.deleteExpired(now());
      await store.ingest.forgetBatches(now() - BATCH_MEMORY_MS);
      await store.records.fleet.forgetBatches(now() - BATCH_MEMORY_MS);
      await deleteOldRuns(store, now());
    }
    return (await maintainFleet(store, now, signal, tellFault)) || moreSamples;
  };

  const pulse = createPulse({
    act: round,
    everyMs: ROUND_MS,
    onError: (error) => logger.error({ err: error }, "a round of maintenance failed; the next one tries again"),
  });
  return {
    async close() {
      await pulse.close();
      if (lease !== null) await store.records.leases.release(lease).catch(() => undefined);
    },
  };
}

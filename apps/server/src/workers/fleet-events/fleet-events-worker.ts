import type { Lease, Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import { randomUUID } from "node:crypto";
import type { Worker } from "../detect/detect-worker.ts";
import { createPulse } from "../pulse.ts";
import { fleetEventsStep } from "./fleet-events-step.ts";

export interface FleetEventsWorkerOptions {
  readonly store: Store;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
}

const LEASE = "fleet-events";
const LEASE_TTL_MS = 60_000;
const ROUND_MS = 10_000;

/** Makes events of what gauges of a last event show (E1). One process at a time. */
export function startFleetEventsWorker({ store, now, logger }: FleetEventsWorkerOptions): Worker {
  const holder = randomUUID();
  let lease: Lease | null = null;
  const pulse = createPulse({
    async act() {
      lease = await store.records.leases.acquire(LEASE, holder, LEASE_TTL_MS);
      if (lease === null) return false;
      const { hasMore, homeless } = await fleetEventsStep(store, lease, now());
      if (homeless > 0) logger.warn({ homeless }, "events of GPUs whose node no label names were left out");
      return hasMore;
    },
    everyMs: ROUND_MS,
    onError: (error) => logger.error({ err: error }, "a round over the gauges of last events failed; the next one tries again"),
  });
  return {
    async close() {
      await pulse.close();
      if (lease !== null) await store.records.leases.release(lease).catch(() => undefined);
    },
  };
}

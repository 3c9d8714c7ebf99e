import type { Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { Role } from "./configuration/schema.ts";
import type { MoveRelay } from "./live/move-relay.ts";
import { startDetectWorker } from "./workers/detect/detect-worker.ts";
import { startFleetEventsWorker } from "./workers/fleet-events/fleet-events-worker.ts";
import { startMaintainWorker } from "./workers/maintain/maintain-worker.ts";

export interface RoleOptions {
  readonly roles: readonly Role[];
  readonly store: Store;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
}

/** Starts the workers among the roles; the answer ends them. Several processes may have the same role: a lease lets one work at a time. */
export function startRoles({ roles, ...services }: RoleOptions): () => Promise<void> {
  const workers = [
    ...(roles.includes("detect") ? [startDetectWorker(services), startFleetEventsWorker(services)] : []),
    ...(roles.includes("maintain") ? [startMaintainWorker(services)] : []),
  ];
  return async () => {
    await Promise.all(workers.map((worker) => worker.close()));
  };
}

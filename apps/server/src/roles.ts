import { createFleetViews } from "@trainwatch/api";
import type { Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { Role } from "./configuration/schema.ts";
import type { MoveRelay } from "./live/move-relay.ts";
import { startDeliverWorker } from "./workers/deliver/deliver-worker.ts";
import { startDetectWorker, type Worker } from "./workers/detect/detect-worker.ts";
import { createLeaseKeeper } from "./workers/detect/lease-keeper.ts";
import { startFleetDetectWorker } from "./workers/fleet-detect/fleet-detect-worker.ts";
import { startFleetEventsWorker } from "./workers/fleet-events/fleet-events-worker.ts";
import { startMaintainWorker } from "./workers/maintain/maintain-worker.ts";

export interface RoleOptions {
  readonly roles: readonly Role[];
  readonly store: Store;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
  /** Where people reach the server; null where nobody has said. */
  readonly publicUrl: string | null;
}

/** Starts the workers among the roles; the answer ends them. Several processes may have the same role: a lease, or the queue of jobs, sees to it that nothing is done twice. */
export function startRoles({ roles, ...services }: RoleOptions): () => Promise<void> {
  const workers = [
    ...(roles.includes("detect") ? startDetection(services) : []),
    ...(roles.includes("maintain") ? [startMaintainWorker(services)] : []),
    ...(roles.includes("deliver") ? [startDeliverWorker(services)] : []),
  ];
  return async () => {
    await Promise.all(workers.map((worker) => worker.close()));
  };
}

/** Both judge under one lease: of two processes one does all of it, so that what folds into an incident is folded by one. */
function startDetection(services: Omit<RoleOptions, "roles">): readonly Worker[] {
  const { store, now } = services;
  const lease = createLeaseKeeper(store.records, "detect", now);
  const shared = { ...services, lease, views: createFleetViews(store, now) };
  const judges = [startDetectWorker(shared), startFleetDetectWorker(shared)];
  const close = async (): Promise<void> => {
    await Promise.all(judges.map((worker) => worker.close()));
    await lease.release();
  };
  return [{ close }, startFleetEventsWorker(services)];
}

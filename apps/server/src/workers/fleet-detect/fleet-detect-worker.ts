import type { FleetViews } from "@trainwatch/api";
import { NO_RUN } from "@trainwatch/core";
import { createFleetWatch, FLEET_DETECTOR_FIELDS } from "@trainwatch/detect";
import type { Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { MoveRelay } from "../../live/move-relay.ts";
import { LeaseLost } from "../detect/demand.ts";
import type { Worker } from "../detect/detect-worker.ts";
import type { LeaseKeeper } from "../detect/lease-keeper.ts";
import { IncidentMoved } from "../fold/incident-moved.ts";
import { createPulse } from "../pulse.ts";
import { fleetDetectStep, type FleetDetection, type HeldFleet } from "./fleet-detect-step.ts";

export interface FleetDetectWorkerOptions {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: LeaseKeeper;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
}

/** How often it is asked whether the next tick is due. */
const LOOK_MS = 1_000;
const DETECTION: FleetDetection = { fields: FLEET_DETECTOR_FIELDS, create: createFleetWatch };

/** Judges the fleet tick by tick, one process at a time on a database. */
export function startFleetDetectWorker({ store, views, lease: keeper, moves, now, logger }: FleetDetectWorkerOptions): Worker {
  let held: HeldFleet | null = null;
  let fence: number | null = null;

  const look = async (): Promise<boolean> => {
    const lease = await keeper.renew();
    // Under another fence somebody else may have judged ticks: what is in memory is old.
    if (lease === null || lease.fence !== fence) held = null;
    fence = lease?.fence ?? null;
    if (lease === null) return false;
    try {
      const { next, hasMore, skippedMs, changed } = await fleetDetectStep({
        store,
        views,
        lease,
        detection: DETECTION,
        held,
        nowMs: now(),
      });
      held = next;
      if (skippedMs > 0)
        logger.warn({ skippedMs, tickMs: next.tickMs }, "the fleet was not judged for so long that a part of it is left out");
      for (const runId of changed)
        moves.announce({ runId: runId ?? NO_RUN, lastStep: null, samples: 0, atMs: now(), incidentsChanged: true });
      return hasMore;
    } catch (error) {
      held = null;
      if (error instanceof LeaseLost) {
        keeper.drop();
        return false;
      }
      if (!(error instanceof IncidentMoved)) throw error;
      logger.warn({ err: error }, "an incident was changed while findings of the fleet were folded into it; the tick is tried again");
      return false;
    }
  };

  const pulse = createPulse({
    act: look,
    everyMs: LOOK_MS,
    onError: (error) => logger.error({ err: error }, "the detectors failed on a tick of the fleet; it is tried again"),
  });
  return { close: () => pulse.close() };
}

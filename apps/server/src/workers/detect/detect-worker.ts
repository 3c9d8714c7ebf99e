import { randomUUID } from "node:crypto";
import type { Lease, PendingRun, Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { MoveRelay } from "../../live/move-relay.ts";
import { createPulse } from "../pulse.ts";
import { createBackOff } from "./back-off.ts";
import { detectStep, LeaseLost, RunMoved, type WatchedRun } from "./detect-step.ts";
import { IncidentMoved } from "./fold-findings.ts";

export interface DetectWorkerOptions {
  readonly store: Store;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
}

export interface Worker {
  /** Ends after the step at hand and gives back what is held. */
  close(): Promise<void>;
}

const LEASE = "detect";
/** A process that dies is followed within so long. */
const LEASE_TTL_MS = 15_000;
const RENEW_MS = 5_000;
/** Words may be lost: without any, the worker looks by itself so often. */
const LOOK_MS = 2_000;
const RUNS_A_LOOK = 64;
/** A run that fails is tried again after so long, then after twice as long each time. */
const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 300_000;
/** Watches kept in memory between looks; a run that is not among them is resumed from what is stored. */
const HELD_RUNS = 256;

/** Judges what comes in, one process at a time on a database. */
export function startDetectWorker({ store, moves, now, logger }: DetectWorkerOptions): Worker {
  const holder = randomUUID();
  const held = new Map<number, WatchedRun>();
  const failing = createBackOff({ firstMs: RETRY_FIRST_MS, mostMs: RETRY_MOST_MS });
  let lease: Lease | null = null;
  let renewedAtMs = Number.NEGATIVE_INFINITY;

  const renew = async (): Promise<Lease | null> => {
    if (lease !== null && now() - renewedAtMs < RENEW_MS) return lease;
    const next = await store.records.leases.acquire(LEASE, holder, LEASE_TTL_MS);
    // Under another fence somebody else may have moved the cursors: what is in memory is old.
    if (next === null || next.fence !== lease?.fence) held.clear();
    renewedAtMs = now();
    lease = next;
    return next;
  };

  const look = async (signal: AbortSignal): Promise<boolean> => {
    if ((await renew()) === null) return false;
    // Those that fail stand first in the queue, since they are not moved on: room beyond them, or they would keep the others out.
    const pending = await store.records.cursors.pending(RUNS_A_LOOK + failing.waiting(now()));
    const due = pending.filter(({ runId }) => failing.isDue(runId, now())).slice(0, RUNS_A_LOOK);
    let hasMore = due.length === RUNS_A_LOOK;
    for (const run of due) {
      const current = await renew();
      if (signal.aborted || current === null) return false;
      hasMore = (await step(run, current)) || hasMore;
    }
    return hasMore;
  };

  const step = async (run: PendingRun, current: Lease): Promise<boolean> => {
    try {
      const result = await detectStep({ store, lease: current, run, held: held.get(run.runId) ?? null, nowMs: now() });
      hold(run.runId, result.next);
      failing.succeeded(run.runId);
      if (result.incidentsChanged) moves.announce({ runId: run.runId, lastStep: null, samples: 0, atMs: now(), incidentsChanged: true });
      return result.hasMore;
    } catch (error) {
      held.delete(run.runId);
      if (error instanceof RunMoved) return true;
      if (error instanceof LeaseLost) {
        lease = null;
        return false;
      }
      // One run that cannot be judged must not keep the detectors from the others.
      const retryMs = failing.failed(run.runId, now());
      const facts = { err: error, runId: run.runId, retryMs };
      // Mostly a person's hand on the incident at the same moment; where it is not, it must not be tried without a pause for ever.
      if (error instanceof IncidentMoved)
        logger.warn(facts, "an incident was changed while findings were folded into it; the run is tried again");
      else logger.error(facts, "the detectors failed on a run; it is tried again");
      return false;
    }
  };

  const hold = (runId: number, watched: WatchedRun): void => {
    held.delete(runId);
    held.set(runId, watched);
    for (const oldest of held.keys()) {
      if (held.size <= HELD_RUNS) break;
      held.delete(oldest);
    }
  };

  const pulse = createPulse({
    act: look,
    everyMs: LOOK_MS,
    onError: (error) => logger.error({ err: error }, "the detect worker could not look for work"),
  });
  const stopListening = moves.onMove((move) => {
    if (move.samples > 0) pulse.wake();
  });
  return {
    async close() {
      stopListening();
      await pulse.close();
      if (lease !== null) await store.records.leases.release(lease).catch(() => undefined);
    },
  };
}

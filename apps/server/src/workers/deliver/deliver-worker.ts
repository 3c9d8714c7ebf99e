import { tellByClock } from "@trainwatch/api";
import { NO_RUN } from "@trainwatch/core";
import { DELIVER_TASK, type Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import { Logger, runOnce, type Task } from "graphile-worker";
import { z } from "zod";
import type { MoveRelay } from "../../live/move-relay.ts";
import type { Worker } from "../detect/detect-worker.ts";
import { createPulse } from "../pulse.ts";
import { deliverNotices, TryLater } from "./deliver-notices.ts";

export interface DeliverWorkerOptions {
  readonly store: Store;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
  /** Where people reach the server, for links; null where it is not known. */
  readonly publicUrl: string | null;
}

/** Words may be lost, and tries come due: the worker looks by itself so often. */
const LOOK_MS = 5_000;
/** Channels served at a time by one pass over the jobs. */
const AT_ONCE = 4;
/** A pass lasts as long as its slowest channel has jobs. While it does, what comes for other channels is taken by the next one: a channel that does not answer holds up no other. */
const PASSES_AT_ONCE = 3;
const CLOCK_MS = 60_000;
/** A try ends within 10 s and what is written down after it within a few more. */
const DEAD_AFTER_S = 120;

const jobSchema = z.object({ incidentId: z.number().int(), channelId: z.number().int() });

/** Sends notices. Any number of processes may: a job is one's at a time, and jobs of one channel follow each other. */
export function startDeliverWorker({ store, moves, now, logger, publicUrl }: DeliverWorkerOptions): Worker {
  let clockAtMs = Number.NEGATIVE_INFINITY;
  const jobLogger = new Logger(() => (level, message) => (level === "error" ? logger.debug(message) : undefined));

  const deliver: Task = async (payload, { job }) => {
    const about = jobSchema.parse(payload);
    try {
      await deliverNotices(about, { store, now, publicUrl, nextTryMs: backOffMs(job.attempts) });
    } catch (error) {
      if (error instanceof TryLater)
        logger.warn({ ...about, why: error.message, attempt: job.attempts }, "a notice could not be delivered; it is tried again");
      else logger.error({ err: error, ...about }, "delivering a notice failed; it is tried again");
      throw error;
    } finally {
      // The timeline has grown.
      moves.announce({ runId: NO_RUN, lastStep: null, samples: 0, atMs: now(), incidentsChanged: true });
    }
  };

  const passes = new Set<Promise<void>>();
  const onError = (error: unknown): void => logger.error({ err: error }, "the deliver worker could not look for notices; it looks again");
  const deliverAll = (): Promise<void> =>
    runOnce({
      pgPool: store.pool,
      taskList: { [DELIVER_TASK]: deliver },
      concurrency: AT_ONCE,
      noHandleSignals: true,
      logger: jobLogger,
    });

  const look = async (): Promise<boolean> => {
    if (now() - clockAtMs >= CLOCK_MS) {
      clockAtMs = now();
      const dead = await store.records.notices.unlockDead(DEAD_AFTER_S);
      if (dead > 0) logger.warn({ dead }, "jobs of a process that died at work were freed");
      await store.records.notices.requeue();
      await tellByClock(store.records, now());
    }
    if (passes.size < PASSES_AT_ONCE) {
      const pass = deliverAll()
        .catch(onError)
        .finally(() => passes.delete(pass));
      passes.add(pass);
    }
    return false;
  };

  const pulse = createPulse({ act: look, everyMs: LOOK_MS, onError });
  const stopListening = moves.onMove(({ incidentsChanged }) => {
    if (incidentsChanged) pulse.wake();
  });
  return {
    async close() {
      stopListening();
      await pulse.close();
      await Promise.all(passes);
    },
  };
}

/** graphile-worker's own: e to the power of the tries, in seconds, of ten at most; about six hours. */
function backOffMs(attempts: number): number {
  return 1_000 * Math.exp(Math.min(attempts, 10));
}

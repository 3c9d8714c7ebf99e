import type { FleetViews } from "@trainwatch/api";
import type { Lease, PendingRun, Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { MoveRelay } from "../../live/move-relay.ts";
import { IncidentMoved } from "../fold/incident-moved.ts";
import { createPulse } from "../pulse.ts";
import { createBackOff } from "./back-off.ts";
import { beginTurn, clockRound, type ClockTurn } from "./clock-round.ts";
import { LeaseLost, RunMoved } from "./demand.ts";
import { detectStep } from "./detect-step.ts";
import type { WatchedRun } from "./watched-run.ts";
import { createHeldRuns } from "./held-runs.ts";
import type { LeaseKeeper } from "./lease-keeper.ts";

export interface DetectWorkerOptions {
  readonly store: Store;
  readonly views: FleetViews;
  readonly lease: LeaseKeeper;
  readonly moves: MoveRelay;
  readonly now: () => number;
  readonly logger: FastifyBaseLogger;
}

export interface Worker {
  /** Ends after the step at hand. */
  close(): Promise<void>;
}

/** Words may be lost: without any, the worker looks by itself so often. */
const LOOK_MS = 2_000;
const RUNS_A_LOOK = 64;
/** Mostly a step waits for PostgreSQL: a fault need not wait for the steps of other runs, of which a wide one may take a second. */
const RUNS_AT_ONCE = 3;
/** A run that fails is tried again after so long, then after twice as long each time. */
const RETRY_FIRST_MS = 2_000;
const RETRY_MOST_MS = 300_000;
/** How often the detectors of live runs are told the time. */
const CLOCK_MS = 5_000;
/** While samples wait so much of a look goes to the clock all the same, or it would stand still on a busy cluster. */
const CLOCK_SHARE_MS = 40;

const NO_TURN: ClockTurn = { atMs: Number.NEGATIVE_INFINITY, runs: [] };

/** Judges what comes in, and what does not come, one process at a time on a database. */
export function startDetectWorker({ store, views, lease: keeper, moves, now, logger }: DetectWorkerOptions): Worker {
  const held = createHeldRuns();
  const failing = createBackOff({ firstMs: RETRY_FIRST_MS, mostMs: RETRY_MOST_MS });
  let fence: number | null = null;
  /** Runs that are being judged. */
  const atHand = new Map<number, Promise<void>>();
  let turn = NO_TURN;
  /** Samples have come in since the look at hand began. */
  let isPressed = false;

  const renew = async (): Promise<Lease | null> => {
    const lease = await keeper.renew();
    // Under another fence somebody else may have moved the cursors: what is in memory is old.
    if (lease === null || lease.fence !== fence) {
      held.clear();
      turn = NO_TURN;
    }
    fence = lease?.fence ?? null;
    return lease;
  };

  const look = async (signal: AbortSignal): Promise<boolean> => {
    isPressed = false;
    if ((await renew()) === null) return false;
    // Those that fail stand first in the queue, since they are not moved on, and so do those at hand: room beyond them, or they would keep the others out.
    const busy = new Set(atHand.keys());
    const pending = await store.records.cursors.pending(RUNS_A_LOOK + failing.waiting(now()) + busy.size);
    // What was at hand when they were asked for may be done by now, and not be pending any more.
    const due = pending.filter(({ runId }) => !busy.has(runId) && isFree(runId)).slice(0, RUNS_A_LOOK);
    for (const run of due) {
      while (atHand.size >= RUNS_AT_ONCE) await Promise.race(atHand.values());
      const lease = await renew();
      if (signal.aborted || lease === null) return false;
      atHand.set(run.runId, step(run, lease));
      await tellTime(signal, () => true);
    }
    const sinceMs = now();
    await tellTime(signal, () => isPressed && Math.abs(now() - sinceMs) >= CLOCK_SHARE_MS);
    return due.length === RUNS_A_LOOK || turn.runs.length > 0;
  };

  /** Ends with another look: there may be more of the run, and room for one that waits. */
  const step = async (run: PendingRun, lease: Lease): Promise<void> => {
    const result = await guarded(run.runId, () => detectStep({ store, views, lease, run, held: held.get(run.runId), nowMs: now() }));
    // Kept under another fence than it was made under, it would be gone on from although somebody else has moved the cursor since.
    if (result.kind === "done" && lease.fence === fence) keep(run.runId, result.answer);
    atHand.delete(run.runId);
    if (result.kind !== "failed") pulse.wake();
  };

  const isFree = (runId: number): boolean => !atHand.has(runId) && failing.isDue(runId, now());

  const tellTime = async (signal: AbortSignal, mustYield: () => boolean): Promise<void> => {
    // A clock that was set back must not keep the detectors from it.
    if (turn.runs.length === 0 && Math.abs(now() - turn.atMs) < CLOCK_MS) return;
    const lease = await renew();
    if (lease === null) return;
    if (turn.runs.length === 0) turn = await beginTurn(store, now);
    const current = turn;
    // Where it fails as a whole the next one begins at its time, and does not fail at the same run again at once.
    turn = { ...current, runs: [] };
    turn = await clockRound({
      store,
      views,
      lease,
      turn: current,
      mustYield: () => signal.aborted || mustYield(),
      now,
      held: held.get,
      // Of one at hand samples have just come: that it stands still need not be asked.
      isDue: (runId) => !signal.aborted && isFree(runId),
      async act(runId, ask) {
        const result = await guarded(runId, ask);
        if (result.kind === "done") keep(runId, result.answer);
      },
    });
  };

  const keep = (runId: number, { next, incidentsChanged }: { readonly next: WatchedRun; readonly incidentsChanged: boolean }): void => {
    held.set(runId, next);
    failing.succeeded(runId);
    if (incidentsChanged) moves.announce({ runId, lastStep: null, samples: 0, atMs: now(), incidentsChanged: true });
  };

  type Outcome<T> = { readonly kind: "done"; readonly answer: T } | { readonly kind: "again" } | { readonly kind: "failed" };

  /** One run that cannot be judged must not keep the detectors from the others. */
  const guarded = async <T>(runId: number, act: () => Promise<T>): Promise<Outcome<T>> => {
    try {
      return { kind: "done", answer: await act() };
    } catch (error) {
      held.delete(runId);
      if (error instanceof RunMoved) return { kind: "again" };
      if (error instanceof LeaseLost) {
        keeper.drop();
        return { kind: "failed" };
      }
      const retryMs = failing.failed(runId, now());
      const facts = { err: error, runId, retryMs };
      // Mostly a person's hand on the incident at the same moment; where it is not, it must not be tried without a pause for ever.
      if (error instanceof IncidentMoved)
        logger.warn(facts, "an incident was changed while findings were folded into it; the run is tried again");
      else logger.error(facts, "the detectors failed on a run; it is tried again");
      return { kind: "failed" };
    }
  };

  const pulse = createPulse({
    act: look,
    everyMs: LOOK_MS,
    onError: (error) => logger.error({ err: error }, "the detect worker could not look for work"),
  });
  const stopListening = moves.onMove((move) => {
    if (move.samples === 0) return;
    isPressed = true;
    pulse.wake();
  });
  return {
    async close() {
      stopListening();
      await pulse.close();
      await Promise.all(atHand.values());
    },
  };
}

import type { FleetViews } from "@trainwatch/api";
import type { Lease, PendingRun, Store } from "@trainwatch/store";
import type { FastifyBaseLogger } from "fastify";
import type { MoveRelay } from "../../live/move-relay.ts";
import { IncidentMoved } from "../fold/incident-moved.ts";
import { createPulse } from "../pulse.ts";
import { createBackOff } from "./back-off.ts";
import { beginTurn, clockRound, type ClockTurn } from "./clock-round.ts";
import { LeaseLost, RunMoved } from "./demand.ts";
import { detectStep, type WatchedRun } from "./detect-step.ts";
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
    // Those that fail stand first in the queue, since they are not moved on: room beyond them, or they would keep the others out.
    const pending = await store.records.cursors.pending(RUNS_A_LOOK + failing.waiting(now()));
    const due = pending.filter(({ runId }) => failing.isDue(runId, now())).slice(0, RUNS_A_LOOK);
    let hasMore = due.length === RUNS_A_LOOK;
    for (const run of due) {
      const lease = await renew();
      if (signal.aborted || lease === null) return false;
      hasMore = (await step(run, lease)) || hasMore;
      await tellTime(signal, () => true);
    }
    const sinceMs = now();
    await tellTime(signal, () => isPressed && Math.abs(now() - sinceMs) >= CLOCK_SHARE_MS);
    return hasMore || turn.runs.length > 0;
  };

  const step = async (run: PendingRun, lease: Lease): Promise<boolean> => {
    const result = await guarded(run.runId, () => detectStep({ store, views, lease, run, held: held.get(run.runId), nowMs: now() }));
    if (result.kind === "again") return true;
    if (result.kind === "failed") return false;
    keep(run.runId, result.answer);
    return result.answer.hasMore;
  };

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
      isDue: (runId) => !signal.aborted && failing.isDue(runId, now()),
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
    },
  };
}

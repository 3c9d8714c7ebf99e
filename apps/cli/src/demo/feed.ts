import { setInterval } from "node:timers/promises";
import type { PushInput } from "@trainwatch/core";
import { simulateRun, type DemoRun, type DemoScenario, type SimulatedEvent } from "@trainwatch/simulate";
import { batchesOf, pushOfBatch } from "./push-of-events.ts";

export interface Feed {
  readonly push: (push: PushInput) => Promise<unknown>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly stop: AbortSignal;
}

const EVENTS_A_PUSH = 2_000;
/** Often enough for a page that shows new points within two seconds. */
const LIVE_TICK_MS = 500;

/** Pushes a run that has long ended, from its first event to its last. */
export async function feedHistory(run: DemoRun, { push, stop }: Feed): Promise<void> {
  let seq = 0;
  for (const batch of batchesOf(simulateRun(run.plan), EVENTS_A_PUSH)) {
    if (stop.aborted) return;
    await push(pushOfBatch(run, seq++, batch));
  }
}

export interface LiveFeed {
  /** What happened before now has been pushed. */
  readonly backlog: Promise<void>;
  /** The run has ended or the feed was stopped. */
  readonly ended: Promise<void>;
}

/** Pushes what has happened of the live run so far, then each event when its time has come. */
export function feedLive(live: DemoScenario["live"], feed: Feed): LiveFeed {
  const events = lookAhead(simulateRun(live.plan));
  let seq = 0;
  const pushDue = async (): Promise<void> => {
    for (const batch of batchesOf(events.until(feed.now()), EVENTS_A_PUSH)) {
      if (feed.stop.aborted) return;
      await feed.push(pushOfBatch(live, seq++, batch));
    }
  };
  const backlog = pushDue();
  return { backlog, ended: backlog.then(() => follow(events, pushDue, feed.stop)) };
}

async function follow(events: LookAhead, pushDue: () => Promise<void>, stop: AbortSignal): Promise<void> {
  try {
    for await (const _ of setInterval(LIVE_TICK_MS, undefined, { signal: stop })) {
      await pushDue();
      if (events.isDone()) return;
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

interface LookAhead {
  /** Events that are due, each given once. */
  until(timeMs: number): Generator<SimulatedEvent, void, undefined>;
  isDone(): boolean;
}

function lookAhead(source: Generator<SimulatedEvent, void, undefined>): LookAhead {
  let next = source.next();
  return {
    *until(timeMs) {
      while (next.done !== true && next.value.timeMs <= timeMs) {
        yield next.value;
        next = source.next();
      }
    },
    isDone: () => next.done === true,
  };
}

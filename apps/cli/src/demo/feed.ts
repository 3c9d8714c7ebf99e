import { setInterval } from "node:timers/promises";
import type { PushInput } from "@trainwatch/core";
import { clusterPushes, pushWriter, simulateRun } from "@trainwatch/simulate";
import type { ClusterEvent, ClusterStep, DemoClusterRun, DemoLive, DemoRun, PushOptions, PushWriter } from "@trainwatch/simulate";
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
/** What ranks say is a thousand series a push: fewer and longer ones cost less. */
const RANKS_TICK_MS = 2_000;
const RANK_STEPS_A_PUSH = 100;
const PAST_STEPS_A_PUSH = 200;

/** Pushes a run that has long ended, from its first event to its last. */
export async function feedHistory(run: DemoRun, { push, stop }: Feed): Promise<void> {
  let seq = 0;
  for (const batch of batchesOf(simulateRun(run.plan), EVENTS_A_PUSH)) {
    if (stop.aborted) return;
    await push(pushOfBatch(run, seq++, batch));
  }
}

/** Pushes a run that was simulated rank by rank and has long ended: all that was said, and who sat where. */
export async function feedPast(past: DemoClusterRun, { push, stop }: Feed): Promise<void> {
  // That a hung job was alive is no news any more, and 90 pushes.
  const events = [...past.simulated.events()].filter(({ kind }) => kind !== "heartbeat");
  const placed = new Set<string>();
  let end: Pick<PushInput, "attempt" | "ended"> | null = null;
  for (const { ended, ...body } of clusterPushes(events, { ...optionsOf(past), stepsAPush: PAST_STEPS_A_PUSH })) {
    if (stop.aborted) return;
    await push(body);
    if (ended !== undefined) end = { attempt: body.attempt, ended };
    const start = events.find((event) => event.kind === "start" && event.attempt === body.attempt);
    if (start?.kind !== "start" || placed.has(start.attempt)) continue;
    // Before its ranks speak: who sat where says who is compared with whom.
    placed.add(start.attempt);
    await push(assignmentPush(past, start));
  }
  const { project, name } = past;
  // What comes after a run's end says that it goes on: the end is told last.
  if (end !== null) await push({ source: `demo/${name}/end`, seq: 0, run: { project, name }, ...end });
}

function optionsOf({ project, name, metadata, metrics }: DemoClusterRun): PushOptions {
  return { project, name, source: `demo/${name}`, metadata, metrics };
}

/** Which rank of a run sits on which GPU from the start of an attempt on, as a trainer pushes it. */
function assignmentPush(
  { project, name, simulated }: DemoClusterRun,
  { attempt, timeMs }: { readonly attempt: string; readonly timeMs: number },
): PushInput {
  const hosts = new Map(simulated.fleet.nodes.map(({ machineId, host }) => [machineId, host]));
  return {
    source: `demo/${name}/assignments-${attempt}`,
    seq: 0,
    run: { project, name },
    attempt,
    // A trainer knows its host's name; who reads of a fault must not meet a machine id.
    assignments: simulated
      .assignments(timeMs)
      .map((assignment) => ({ ...assignment, node: hosts.get(assignment.node) ?? assignment.node })),
  };
}

export interface LiveFeed {
  /** What happened before now has been pushed, but for what ranks said. */
  readonly backlog: Promise<void>;
  /** The run has ended or the feed was stopped. */
  readonly ended: Promise<void>;
}

/** Pushes what has happened of the live run so far, then each event when its time has come; what its ranks say comes behind, some steps at a time. */
export function feedLive(live: DemoLive, feed: Feed): LiveFeed {
  const events = lookAhead(live.simulated.events());
  const writer = pushWriter(optionsOf(live));
  const heard: ClusterStep[] = [];
  const pushDue = async (): Promise<void> => {
    for (const batch of batchesOf(events.until(feed.now()), EVENTS_A_PUSH)) {
      if (feed.stop.aborted) return;
      for (const body of writer.run(batch)) await feed.push(body);
      for (const event of batch) {
        if (event.kind === "start") await feed.push(assignmentPush(live, event));
        if (event.kind === "step" && event.step >= live.ranksFromStep) heard.push(event);
      }
    }
  };
  const backlog = pushDue();
  const ended = backlog.then(async () => {
    await Promise.all([
      everyMs(LIVE_TICK_MS, feed.stop, async () => {
        await pushDue();
        return events.isDone();
      }),
      everyMs(RANKS_TICK_MS, feed.stop, async () => {
        const isLast = events.isDone();
        await pushRanks(heard.splice(0), writer, feed);
        return isLast;
      }),
    ]);
  });
  return { backlog, ended };
}

async function pushRanks(steps: readonly ClusterStep[], writer: PushWriter, { push, stop }: Feed): Promise<void> {
  for (const batch of batchesOf(steps, RANK_STEPS_A_PUSH)) {
    for (const body of writer.ranks(batch)) {
      if (stop.aborted) return;
      await push(body);
    }
  }
}

/** Until `turn` says that it was the last one, or the feed is stopped. */
async function everyMs(ms: number, stop: AbortSignal, turn: () => Promise<boolean>): Promise<void> {
  try {
    for await (const _ of setInterval(ms, undefined, { signal: stop })) if (await turn()) return;
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

interface LookAhead {
  /** Events that are due, each given once. */
  until(timeMs: number): Generator<ClusterEvent, void, undefined>;
  isDone(): boolean;
}

function lookAhead(source: Generator<ClusterEvent, void, undefined>): LookAhead {
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

import type { LiveMove } from "@trainwatch/core";
import type { MoveFeed } from "./move-feed.ts";

export interface MoveHub extends MoveFeed {
  publish(move: LiveMove): void;
  /** Ends every follower; later ones end at once. */
  close(): void;
}

interface Follower {
  readonly waiting: Map<number, LiveMove>;
  wake: (() => void) | null;
}

/** Hands each published move to every follower, merged by run for those who are slower than the moves. */
export function createMoveHub(): MoveHub {
  const followers = new Set<Follower>();
  let isClosed = false;

  async function* drain(follower: Follower, signal: AbortSignal): AsyncGenerator<LiveMove> {
    const wake = (): void => follower.wake?.();
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted && !isClosed) {
        const next = takeFirst(follower.waiting);
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (follower.wake = resolve));
      }
    } finally {
      signal.removeEventListener("abort", wake);
      followers.delete(follower);
    }
  }

  return {
    publish(move) {
      for (const follower of followers) {
        follower.waiting.set(move.runId, merge(follower.waiting.get(move.runId), move));
        follower.wake?.();
      }
    },
    follow(signal) {
      // Registered here and not in the generator, which runs only when first asked: nothing published in between is missed.
      const follower: Follower = { waiting: new Map(), wake: null };
      if (!isClosed) followers.add(follower);
      return drain(follower, signal);
    },
    close() {
      isClosed = true;
      for (const follower of followers) follower.wake?.();
    },
  };
}

function takeFirst(waiting: Map<number, LiveMove>): LiveMove | undefined {
  for (const [runId, move] of waiting) {
    waiting.delete(runId);
    return move;
  }
  return undefined;
}

function merge(earlier: LiveMove | undefined, later: LiveMove): LiveMove {
  if (earlier === undefined) return later;
  return { ...later, samples: earlier.samples + later.samples, incidentsChanged: earlier.incidentsChanged || later.incidentsChanged };
}

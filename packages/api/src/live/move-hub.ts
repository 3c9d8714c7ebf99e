import type { LiveMove } from "@trainwatch/core";
import type { MoveFeed } from "./move-feed.ts";

export interface MoveHub extends MoveFeed {
  /** Hands a move to the followers of this process. */
  deliver(move: LiveMove): void;
  /** Ends every follower; later ones end at once. */
  close(): void;
}

interface Follower {
  readonly waiting: Map<number, LiveMove>;
  wake: (() => void) | null;
}

/**
 * Hands each move to every follower of this process, merged by run for those who are slower than the moves.
 * @param announce how a move reaches the hubs of all processes; left out where there is only this one
 */
export function createMoveHub(announce?: (move: LiveMove) => void): MoveHub {
  const followers = new Set<Follower>();
  const closing = new AbortController();

  async function* drain(follower: Follower, signal: AbortSignal): AsyncGenerator<LiveMove> {
    const ended = AbortSignal.any([signal, closing.signal]);
    ended.addEventListener("abort", () => follower.wake?.(), { once: true });
    try {
      while (!ended.aborted) {
        const next = takeFirst(follower.waiting);
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (follower.wake = resolve));
      }
    } finally {
      followers.delete(follower);
    }
  }

  const deliver = (move: LiveMove): void => {
    for (const follower of followers) {
      follower.waiting.set(move.runId, mergeMoves(follower.waiting.get(move.runId), move));
      follower.wake?.();
    }
  };
  return {
    deliver,
    announce: announce ?? deliver,
    follow(signal) {
      // Registered here and not in the generator, which runs only when first asked: nothing published in between is missed.
      const follower: Follower = { waiting: new Map(), wake: null };
      if (!closing.signal.aborted && !signal.aborted) followers.add(follower);
      // One that leaves before it was first asked never comes to the end of its generator.
      signal.addEventListener("abort", () => followers.delete(follower), { once: true });
      return drain(follower, signal);
    },
    close: () => closing.abort(),
  };
}

function takeFirst(waiting: Map<number, LiveMove>): LiveMove | undefined {
  for (const [runId, move] of waiting) {
    waiting.delete(runId);
    return move;
  }
  return undefined;
}

export function mergeMoves(earlier: LiveMove | undefined, later: LiveMove): LiveMove {
  if (earlier === undefined) return later;
  return {
    ...later,
    lastStep: later.lastStep ?? earlier.lastStep,
    samples: earlier.samples + later.samples,
    incidentsChanged: earlier.incidentsChanged || later.incidentsChanged,
    ...(earlier.evaluationsChanged === true || later.evaluationsChanged === true ? { evaluationsChanged: true } : {}),
  };
}

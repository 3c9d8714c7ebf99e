import { createMoveHub, mergeMoves, movesSince, type MoveFeed } from "@trainwatch/api";
import type { LiveMove } from "@trainwatch/core";
import { openChannel, type Store } from "@trainwatch/store";
import { readMoves } from "./read-moves.ts";

export interface MoveRelay extends MoveFeed {
  /** Calls back on every move, of any process: what wakes the detect worker. */
  onMove(listener: (move: LiveMove) => void): () => void;
  /** Ends every stream that follows; later ones end at once. */
  endStreams(): void;
  close(): Promise<void>;
}

const CHANNEL = "trainwatch_moves";
/** What follows a word within so long is merged by run and told together: ten words a second, however many pushes. The first after a rest goes at once. */
const GATHER_MS = 100;
/** A notification holds at most 8,000 bytes, a move about 110. */
const MOVES_A_MESSAGE = 50;

/**
 * The moves of all processes on one database: announced through PostgreSQL, so that a server hears of what a worker of another
 * process has found, and heard by way of PostgreSQL even from itself, so that there is one path and not two.
 */
export async function openMoveRelay(store: Store, url: string, now: () => number): Promise<MoveRelay> {
  const listeners = new Set<(move: LiveMove) => void>();
  const gathered = new Map<number, LiveMove>();
  let timer: NodeJS.Timeout | undefined;
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let lastHeardMs = now();
  let isClosed = false;

  const hub = createMoveHub(announce);
  const hear = (move: LiveMove): void => {
    lastHeardMs = Math.max(lastHeardMs, move.atMs);
    hub.deliver(move);
    for (const listener of listeners) listener(move);
  };
  const channel = await openChannel({
    url,
    pool: store.pool,
    name: CHANNEL,
    onMessage: (payload) => {
      for (const move of readMoves(payload)) hear(move);
    },
    // While the line was down runs may have moved: their rows say which. Where they cannot be read either, the next gap tries again.
    onGap: () => void hearMissed().catch(() => undefined),
  });

  async function hearMissed(): Promise<void> {
    for await (const move of movesSince(store.records, lastHeardMs)) hear(move);
  }

  function announce(move: LiveMove): void {
    if (isClosed) return;
    gathered.set(move.runId, mergeMoves(gathered.get(move.runId), move));
    timer ??= setTimeout(() => void flush(), Math.max(0, toldAtMs + GATHER_MS - performance.now()));
  }

  async function flush(): Promise<void> {
    timer = undefined;
    toldAtMs = performance.now();
    const moves = [...gathered.values()];
    gathered.clear();
    for (let from = 0; from < moves.length; from += MOVES_A_MESSAGE) {
      // Where PostgreSQL is away the words are lost; pages poll and the worker looks for itself.
      await channel.publish(JSON.stringify(moves.slice(from, from + MOVES_A_MESSAGE))).catch(() => undefined);
    }
  }

  return {
    follow: hub.follow,
    announce,
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    endStreams: () => hub.close(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      hub.close();
      await channel.close();
    },
  };
}

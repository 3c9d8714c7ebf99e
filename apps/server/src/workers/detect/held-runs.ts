import type { WatchedRun } from "./watched-run.ts";

/** Watches kept in memory between looks; a run that is not among them is resumed from what is stored. */
export interface HeldRuns {
  readonly get: (runId: number) => WatchedRun | null;
  set(runId: number, watched: WatchedRun): void;
  delete(runId: number): void;
  clear(): void;
}

const MOST_RUNS = 256;
/** Ranks of all of them together: a wide run is megabytes. */
const MOST_RANKS = 262_144;

export function createHeldRuns(): HeldRuns {
  const held = new Map<number, WatchedRun>();
  const weigh = (): number => [...held.values()].reduce((sum, { watch }) => sum + watch.ranks(), 0);
  return {
    get: (runId) => held.get(runId) ?? null,
    set(runId, watched) {
      held.delete(runId);
      held.set(runId, watched);
      if (held.size <= MOST_RUNS && (watched.watch.ranks() === 0 || weigh() <= MOST_RANKS)) return;
      for (const oldest of held.keys()) {
        if (held.size <= 1 || (held.size <= MOST_RUNS && weigh() <= MOST_RANKS)) break;
        held.delete(oldest);
      }
    },
    delete: (runId) => void held.delete(runId),
    clear: () => held.clear(),
  };
}

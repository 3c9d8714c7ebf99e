import type { LiveMove } from "@trainwatch/core";
import type { Records } from "@trainwatch/store";

/** Runs that one query reads: a server may know tens of thousands, and each of them may have moved while a reader was away. */
const MOVES_A_PAGE = 500;

/**
 * Every run that moved at or after a time, longest ago first: read in pages, none of them left out. A run that moves while we read comes
 * twice, which is harmless; the reading has caught up when fewer than a page have moved since the page before.
 */
export async function* movesSince(records: Pick<Records, "runs">, sinceMs: number, pageSize = MOVES_A_PAGE): AsyncGenerator<LiveMove> {
  let { moves, next } = await records.runs.movedAfter({ atMs: sinceMs, runId: 0 }, pageSize);
  for (;;) {
    yield* moves;
    if (next === null) return;
    ({ moves, next } = await records.runs.movedAfter(next, pageSize));
  }
}

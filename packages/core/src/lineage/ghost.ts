import type { BookedAttempt } from "./attempt-book.ts";
import { allStrands, fold } from "./decide-strands.ts";
import type { LineagePoint } from "./contract.ts";
import { type Ledger, emit, release, removeStrand } from "./ledger.ts";
import { type Track, cadence, extendTrack, goesOnFrom, leavesBehind, nearness } from "./track.ts";
import { nextWriter } from "./track-store.ts";

/** The old sequence went on so often beside the new attempt that both are writers of one attempt. */
const CHALLENGE_POINTS = 3;

/**
 * The sequence of the attempt before that this point continues better than anything of the current one: the old process (or a rank
 * that has not restarted yet) is still writing.
 */
export function ghostFor<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  best: Track | undefined,
  point: P,
): Track | undefined {
  if (ledger.previous === null || ledger.naming) return undefined;
  if (best !== undefined && !leavesBehind(best, point.step)) return undefined;
  const ghosts = ledger.tracks.peek(ledger.previous, point.series)?.tracks ?? [];
  return ghosts.find((ghost) => {
    if (!goesOnFrom(ghost, point.step)) return false;
    if (best !== undefined) return best.last < ghost.last;
    return current.lastStep !== null && point.step > current.lastStep + nearness(ghost);
  });
}

/** Places a point where the old sequence goes on, and takes the attempt back if it has gone on too often. */
export function goOnAsGhost<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, ghost: Track, point: P): void {
  const previous = ledger.previous === null ? undefined : ledger.book.get(ledger.previous);
  if (previous === undefined) return;
  emit(ledger, { point, order: ledger.order }, { attempt: previous.name, writer: ghost.writer });
  extendTrack(ghost, point.step, point.value);
  const newTracks = ledger.tracks.peek(current.name, point.series)?.tracks ?? [];
  if (newTracks.length === 0 || current.origin !== "step-fell-back") return;
  const series = ledger.tracks.of(previous.name, point.series);
  series.ghostPoints++;
  if (series.ghostPoints >= CHALLENGE_POINTS) takeBack(ledger, current, previous);
}

/** Both go on: what was called a new attempt is a second writer of the one before, in every series. */
function takeBack<P extends LineagePoint>(ledger: Ledger<P>, attempt: BookedAttempt, previous: BookedAttempt): void {
  for (const [series, { tracks }] of ledger.tracks.all(attempt.name)) {
    const old = ledger.tracks.of(previous.name, series);
    old.ghostPoints = 0;
    const alone = old.tracks.length === 0;
    const moved = tracks.map((track) => {
      const writer = alone ? track.writer : nextWriter(old.tracks);
      ledger.corrections.push({ series, attempt: attempt.name, writer: track.writer, becomes: { attempt: previous.name, writer } });
      const there = { ...track, writer };
      old.tracks.push(there);
      return there;
    });
    // What is undecided beside it was a stray of it.
    const strays = ledger.strands.get(series) ?? [];
    for (const stray of strays) removeStrand(ledger, stray);
    for (const stray of strays) release(ledger, stray, { attempt: previous.name, writer: moved[0]?.writer ?? null });
  }
  for (const strand of allStrands(ledger)) fold(ledger, previous, strand);
  if (attempt.firstStep !== null) ledger.book.reach(previous, attempt.firstStep);
  if (attempt.lastStep !== null) ledger.book.reach(previous, attempt.lastStep);
  ledger.tracks.drop(attempt.name);
  ledger.book.remove(attempt);
  ledger.current = previous;
  ledger.previous = null;
}

/** Steps that a follower may lie above what has fallen: a few usual gaps. */
export function followsFallen<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  main: Track | undefined,
  step: number,
): boolean {
  if (current.lastStep === null || step > current.lastStep || (main !== undefined && step <= main.last)) return false;
  return allStrands(ledger).some((strand) => {
    if (strand.kind !== "fallen") return false;
    const old = ledger.tracks.peek(current.name, strand.series)?.tracks[0];
    const gap = cadence(strand) ?? (old === undefined ? null : cadence(old)) ?? 1;
    return step <= strand.last + 3 * gap && step >= strand.first - 3 * gap;
  });
}

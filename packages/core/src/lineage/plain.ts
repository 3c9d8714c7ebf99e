import type { LineagePoint, PlainSeries, Placement } from "./contract.ts";
import type { BookedAttempt } from "./attempt-book.ts";
import { type Ledger, forgetPassed } from "./ledger.ts";
import { NEAR_GAPS, type Track, extendTrack, newTrack } from "./track.ts";
import { fallPlainly } from "./plain-fallen.ts";
import type { SeriesTracks } from "./track-store.ts";
import { allFallen } from "./undecided.ts";

/** Under so many times the smallest gap known no step is far: a far jump leaves a thousand usual gaps, and the usual one is no smaller. */
const NEAR_ENOUGH = 1000;

/**
 * Whether nothing is announced or held, so that points which only go on need no look at what else there is.
 * @param current the attempt under way.
 */
function isCalm<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt): boolean {
  return ledger.marker === null && ledger.out.length === 0 && current.branchGiven;
}

/** The one sequence of a series that plain points go on from; null for a new series, undefined where it is not as simple as that. */
function onlyTrack(tracks: SeriesTracks | undefined): Track | null | undefined {
  const [first, second] = tracks?.tracks ?? [];
  if (first === undefined) return null;
  return second === undefined && first.ahead === null ? first : undefined;
}

/**
 * Whether steps go on from a track by gaps that nobody would ask about.
 * @param known times the smallest gap that a gap may be, where one is known.
 */
function risesPlainly(track: Track | null, step: ArrayLike<number>, known: number): boolean {
  let smallest = Infinity;
  let last = track?.last ?? -Infinity;
  for (let index = 1; index < (track?.recent.length ?? 0); index++) {
    const gap = (track?.recent[index]?.[0] ?? 0) - (track?.recent[index - 1]?.[0] ?? 0);
    if (gap > 0 && gap < smallest) smallest = gap;
  }
  for (let index = 0; index < step.length; index++) {
    const here = step[index] ?? Number.NaN;
    const gap = here - last;
    // Not a number, not rising, or perhaps far: then it takes the long way.
    if (!(gap > 0) || !Number.isFinite(here)) return false;
    if (last !== -Infinity && gap > (smallest === Infinity ? NEAR_ENOUGH : known * smallest)) return false;
    if (gap < smallest) smallest = gap;
    last = here;
  }
  return step.length > 0;
}

/**
 * Takes whole series that only go on, each from where it was, as `place` would point by point in any order: a push of a million points
 * is mostly this. Null where a point of them needs more than that; then nothing has been taken.
 */
export function goOnPlainly<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  series: readonly PlainSeries[],
): readonly Placement[] | null {
  if (!isCalm(ledger, current) || new Set(series.map((each) => each.series)).size < series.length) return null;
  return allFallen(ledger) > 0 ? fallPlainly(ledger, current, series) : risePlainly(ledger, current, series);
}

function risePlainly<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  series: readonly PlainSeries[],
): readonly Placement[] | null {
  // What is undecided of other series are second values on a step, which are nothing to these.
  if (series.some((each) => ledger.strands.has(each.series))) return null;
  const tracks = series.map((each) => onlyTrack(ledger.tracks.peek(current.name, each.series)));
  const known = ledger.previous === null ? NEAR_ENOUGH : NEAR_GAPS;
  const isPlain = series.every((each, index) => {
    const track = tracks[index];
    return track !== undefined && risesPlainly(track, each.step, known) && !mayBeOfPrevious(ledger, track, each);
  });
  if (!isPlain) return null;
  const placements = series.map((each, index): Placement => {
    const writer = goOn(ledger, current, tracks[index] ?? null, each);
    return { attempt: current.name, writer, flag: null };
  });
  forgetPassed(ledger, current);
  return placements;
}

/**
 * Whether the attempt before may go on with a series that the one under way has not begun. With one that it has, it may only where a step
 * leaves the end of that a few usual gaps behind, which no plain one does while an attempt before is remembered.
 */
function mayBeOfPrevious<P extends LineagePoint>(ledger: Ledger<P>, track: Track | null, { series, step }: PlainSeries): boolean {
  if (track !== null || ledger.previous === null) return false;
  const ends = ledger.tracks.peek(ledger.previous, series)?.tracks ?? [];
  return ends.some(({ last }) => (step[0] ?? 0) > last);
}

function goOn<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  known: Track | null,
  { series, step, value }: PlainSeries,
): string | null {
  const [first, count] = [step[0] ?? 0, step.length];
  const track = known ?? newTrack(null, first, value[0] ?? Number.NaN);
  if (known === null) ledger.tracks.of(current.name, series).tracks.push(track);
  // A track remembers its newest points only.
  for (let index = Math.max(known === null ? 1 : 0, count - REMEMBERED); index < count; index++)
    extendTrack(track, step[index] ?? 0, value[index] ?? Number.NaN);
  ledger.book.reach(current, first);
  ledger.book.reach(current, step[count - 1] ?? 0);
  ledger.order += count;
  return track.writer;
}

/** More than a track keeps. */
const REMEMBERED = 16;

import type { BookedAttempt } from "./attempt-book.ts";
import { allStrands, fold, judge } from "./decide-strands.ts";
import type { LineagePoint } from "./contract.ts";
import { dropJump, liesFarBelowJump, standsBeyondJump } from "./far-jump.ts";
import { followsFallen, ghostFor, goOnAsGhost } from "./ghost.ts";
import { type Ledger, addStrand, emit } from "./ledger.ts";
import { IDLE_POINTS } from "./plain-fallen.ts";
import { type Strand, extendStrand, newStrand, oldSequenceMoved } from "./strand.ts";
import {
  type Track,
  doubtJump,
  extendTrack,
  followsFarJump,
  followsLoneJump,
  goesOnAhead,
  isFarAhead,
  isLate,
  jumpsEarly,
  leavesBehind,
  newTrack,
  rememberLate,
  remembers,
  replaceLoneJump,
} from "./track.ts";
import { type SeriesTracks, nextWriter } from "./track-store.ts";

/** Undecided sequences of one series; a further one is a stray at once. */
const STRANDS_A_SERIES = 4;
/** A far jump is believed once so many points have followed it. */
const AHEAD_POINTS = 3;

/** Decides where a point goes: on from the nearest sequence before it, or beside, or back. */
export function route<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, point: P): void {
  letIdleGo(ledger, current);
  const home = ledger.tracks.of(current.name, point.series);
  const strands = ledger.strands.get(point.series);
  const track = nearestBefore(home.tracks, point.step);
  const strand = strands === undefined ? undefined : nearestBefore(strands, point.step);
  // On a tie the decided sequence goes first: of two writers in step the first to write stays the first.
  const isOfStrand = strand !== undefined && (track === undefined || strand.last > track.last);
  if (isOfStrand && !home.tracks.some((each) => standsBeyondJump(each, strand, point.step))) {
    continueStrand(ledger, strand, point);
  } else if (track !== undefined) {
    continueTrack(ledger, current, home, track, point);
  } else if (home.tracks.length === 0) {
    openSeries(ledger, current, home, point);
  } else {
    goBack(ledger, current, home, point);
  }
}

function nearestBefore<T extends { readonly last: number }>(sequences: readonly T[], step: number): T | undefined {
  let best: T | undefined;
  for (const sequence of sequences) {
    if (sequence.last < step && (best === undefined || sequence.last > best.last)) best = sequence;
  }
  return best;
}

function hold<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>, point: P): void {
  strand.held.push({ point, order: ledger.order });
}

function continueStrand<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>, point: P): void {
  extendStrand(strand, point);
  hold(ledger, strand, point);
  if (strand.kind === "fallen") ledger.idle = 0;
  judge(ledger, strand);
}

function continueTrack<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  home: SeriesTracks,
  track: Track,
  point: P,
): void {
  const other = repeatWithoutHome(home, track, point);
  if (other !== undefined) {
    place(ledger, current, other, point);
    return;
  }
  if (leavesBehind(track, point.step)) {
    const ghost = ghostFor(ledger, current, track, point);
    if (ghost !== undefined) {
      goOnAsGhost(ledger, current, ghost, point);
      return;
    }
    if (isFarAhead(track, point.step)) {
      goFarAhead(ledger, current, home, track, point);
      return;
    }
  }
  if (ledger.fallen > 0 && followStrand(ledger, current, track, point)) return;
  if (jumpsEarly(track, point.step)) doubtJump(track, point.step, 0);
  extendTrack(track, point.step, point.value);
  if (track.ahead !== null)
    track.ahead = track.ahead.mainSince >= AHEAD_POINTS ? null : { ...track.ahead, mainSince: track.ahead.mainSince + 1 };
  place(ledger, current, track, point);
  for (const strand of ledger.strands.get(point.series) ?? []) {
    // A verdict on one strand may have decided the others with it.
    if (strand.kind === "follower" || ledger.strands.get(point.series)?.includes(strand) !== true) continue;
    oldSequenceMoved(strand);
    judge(ledger, strand);
  }
}

/** An exact repeat of what one writer said, too far ahead for the other writer to have said it now. */
function repeatWithoutHome(home: SeriesTracks, track: Track, point: LineagePoint): Track | undefined {
  if (home.tracks.length < 2 || !leavesBehind(track, point.step)) return undefined;
  return home.tracks.find((other) => other !== track && remembers(other, point.step, point.value));
}

function place<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, track: Track, point: P): void {
  emit(ledger, { point, order: ledger.order }, { attempt: current.name, writer: track.writer });
}

/** A point far ahead is kept and flagged; when more follow from there without the sequence going on, the run has jumped. */
function goFarAhead<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, home: SeriesTracks, track: Track, point: P): void {
  const before = goesOnAhead(track, point.step) ? track.ahead : null;
  if (before === null || before.count + 1 < AHEAD_POINTS) {
    track.ahead =
      before === null
        ? { first: point.step, last: point.step, count: 1, mainSince: 0 }
        : { ...before, last: point.step, count: before.count + 1 };
    emit(ledger, { point, order: ledger.order }, { attempt: current.name, writer: track.writer }, "far-step");
    return;
  }
  track.ahead = null;
  if (before.mainSince === 0) {
    doubtJump(track, before.first, before.count);
    track.recent = [];
    believeAhead(ledger, current, point.series, track.writer, { writer: track.writer, ...before });
    extendTrack(track, point.step, point.value);
    place(ledger, current, track, point);
    return;
  }
  const writer = newTrack(nextWriter(home.tracks), point.step, point.value);
  home.tracks.push(writer);
  believeAhead(ledger, current, point.series, track.writer, { writer: writer.writer, ...before });
  place(ledger, current, writer, point);
}

/** What was flagged as far is real: it is shown like any other point, and counts. */
function believeAhead<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  series: string,
  from: string | null,
  { writer, first, last }: { readonly writer: string | null; readonly first: number; readonly last: number },
): void {
  const attempt = current.name;
  const reflag = { fromStep: first, toStep: last, flag: null };
  ledger.corrections.push({ series, attempt, writer: from, becomes: { attempt, writer }, reflag });
  ledger.book.reach(current, first);
  ledger.book.reach(current, last);
}

function openSeries<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, home: SeriesTracks, point: P): void {
  const ghost = ghostFor(ledger, current, undefined, point);
  if (ghost !== undefined) {
    goOnAsGhost(ledger, current, ghost, point);
    return;
  }
  if (ledger.fallen > 0 && followStrand(ledger, current, undefined, point)) return;
  const track = newTrack(null, point.step, point.value);
  home.tracks.push(track);
  place(ledger, current, track, point);
}

/** While something has fallen back, a point of another series near it may belong with it: it waits for the same decision. */
function followStrand<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, track: Track | undefined, point: P): boolean {
  if (ledger.strands.has(point.series) || ledger.naming || !followsFallen(ledger, current, track, point.step)) return false;
  const strand = newStrand("follower", point);
  addStrand(ledger, strand);
  hold(ledger, strand, point);
  return true;
}

/** No sequence of the series lies before this step. */
function goBack<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, home: SeriesTracks, point: P): void {
  const { step, value } = point;
  const strands = ledger.strands.get(point.series) ?? [];
  const repeatedStrand = strands.find((strand) => remembers(strand, step, value));
  if (repeatedStrand !== undefined && !(expectsSecond(home, strands) && repeatedStrand.last === step)) {
    repeatedStrand.repeats++;
    hold(ledger, repeatedStrand, point);
    judge(ledger, repeatedStrand);
    return;
  }
  const repeated = home.tracks.find((track) => remembers(track, step, value));
  if (repeated !== undefined) return place(ledger, current, repeated, point);
  const farJumped = home.tracks.find((track) => followsFarJump(track, step));
  if (farJumped !== undefined) {
    dropJump(ledger, current, point.series, farJumped);
    return continueTrack(ledger, current, home, farJumped, point);
  }
  if (home.tracks.some((track) => liesFarBelowJump(track, step))) return fallBack(ledger, current, home, strands, point);
  const jumped = home.tracks.find((track) => followsLoneJump(track, step));
  if (jumped !== undefined) {
    replaceLoneJump(jumped, step, value);
    return place(ledger, current, jumped, point);
  }
  const late = home.tracks.find((track) => isLate(track, step));
  if (late !== undefined) {
    rememberLate(late, step, value);
    return place(ledger, current, late, point);
  }
  const shared = home.tracks.find((track) => track.last === step);
  if (shared !== undefined) return standOnSharedStep(ledger, current, home, strands, shared, point);
  fallBack(ledger, current, home, strands, point);
}

/** A series with two writers falls back twice: the second time it is the second writer and not a repeat. */
function expectsSecond<P extends LineagePoint>(home: SeriesTracks, strands: readonly Strand<P>[]): boolean {
  return strands.filter((strand) => strand.kind === "fallen").length < home.tracks.length;
}

/**
 * A second value on the newest step stays with the first (storage keeps both by ordinal); if values go on from it beside the old
 * sequence it was a second writer's. A third value says that the step stands still.
 */
function standOnSharedStep<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  home: SeriesTracks,
  strands: readonly Strand<P>[],
  shared: Track,
  point: P,
): void {
  place(ledger, current, shared, point);
  if (home.manyAt === point.step || home.manyAt === "always") return;
  const twin = strands.find((strand) => strand.kind === "twin" && strand.last === point.step);
  if (twin !== undefined) {
    home.manyAt = point.step;
    if (twin.count === 1) fold(ledger, current, twin);
    return;
  }
  if (strands.length < STRANDS_A_SERIES) addStrand(ledger, newStrand("twin", point));
}

function fallBack<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  home: SeriesTracks,
  strands: readonly Strand<P>[],
  point: P,
): void {
  const first = home.tracks[0];
  if (strands.length >= STRANDS_A_SERIES && first !== undefined) return place(ledger, current, first, point);
  const strand = newStrand("fallen", point);
  addStrand(ledger, strand);
  hold(ledger, strand, point);
  ledger.idle = 0;
}

function letIdleGo<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt): void {
  if (ledger.fallen === 0) return;
  ledger.idle++;
  if (ledger.idle < IDLE_POINTS) return;
  ledger.idle = 0;
  for (const strand of allStrands(ledger)) if (strand.kind !== "twin") fold(ledger, current, strand);
}

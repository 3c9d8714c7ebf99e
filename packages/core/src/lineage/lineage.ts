import type { Attempt } from "../run.ts";
import { type BookedAttempt, publicAttempt } from "./attempt-book.ts";
import type { HeldSeries, Lineage, LineagePoint, LineageState } from "./contract.ts";
import { allStrands, branchAt, branchBefore, fold, settleFallen } from "./decide-strands.ts";
import { type Ledger, emit, forgetPassed, moveOn, emitGuess, freeWriter, newLedger, takeCorrections, takeOut } from "./ledger.ts";
import { ledgerState } from "./ledger-state.ts";
import { goOnPlainly } from "./plain.ts";
import { takeLate } from "./late.ts";
import { route } from "./route.ts";
import { type Strand } from "./strand.ts";
import { newTrack } from "./track.ts";
import { guessedReach, longestFallen } from "./undecided.ts";

/** Markers are believed until so many points have gone on above without a fall-back. */
const MARKER_POINTS = 3;

/**
 * Lineage of one run, from nothing or from the state it left after the last push. Contract: {@link Lineage}.
 * @param holds whether the state is of all series of the run. One of some goes on where nothing needs the others ({@link Lineage.goOn}) and tells
 * the attempts as the whole would; whoever has anything undecided decided, by a name, a marker or `place`, needs all.
 * @throws RangeError from `place` on a step that is not a finite number, from `state` while points are held.
 */
export function createLineage<P extends LineagePoint = LineagePoint>(state?: LineageState, holds: HeldSeries = "all"): Lineage<P> {
  if (state !== undefined && state.version !== 1) throw new RangeError(`lineage state of version ${String(state.version)} is not known`);
  const ledger = newLedger<P>(state, holds);

  return {
    named(name, options = {}) {
      if (ledger.wanted === null && (ledger.naming ? ledger.current?.name : null) === name) return;
      settleFallen(ledger);
      ledger.naming = name !== null;
      ledger.wanted = name === null ? null : { name, options };
      ledger.marker = null;
    },
    marker(reason) {
      if (ledger.naming || ledger.current === null) return;
      settleFallen(ledger);
      const reached = ledger.current.lastStep;
      if (reached !== null) ledger.marker = { reason, reached, goneOn: 0 };
    },
    place(point) {
      if (!Number.isFinite(point.step)) throw new RangeError(`step ${point.step} of series ${point.series} is not a finite number`);
      ledger.order++;
      const current = currentAttempt(ledger);
      if (!beginMarked(ledger, current, point)) {
        const reached = current.lastStep;
        setBranchOfNamed(ledger, current, point);
        route(ledger, current, point);
        forgetPassed(ledger, ledger.current ?? current);
        countMarker(ledger, current, reached);
      }
      return takeOut(ledger);
    },
    goOn: (series) => (series.some((each) => each.step.length > 0) ? goOnPlainly(ledger, currentAttempt(ledger), series) : []),
    late: (attempt, series) => takeLate(ledger, attempt, series),
    settle() {
      for (const strand of allStrands(ledger)) guess(ledger, strand);
      return takeOut(ledger);
    },
    takeCorrections: () => takeCorrections(ledger),
    attempts: () => listAttempts(ledger),
    state() {
      if (ledger.out.length > 0 || allStrands(ledger).some((strand) => strand.held.length > 0))
        throw new RangeError("lineage holds points: call settle() before state()");
      return ledgerState(ledger);
    },
  };
}

/** The attempt that a point now belongs to unless its step says otherwise. A named one is entered with its first point. */
function currentAttempt<P extends LineagePoint>(ledger: Ledger<P>): BookedAttempt {
  const { wanted } = ledger;
  if (wanted !== null) {
    ledger.wanted = null;
    ledger.current = ledger.book.get(wanted.name) ?? ledger.book.addNamed(wanted.name, ledger.current ?? undefined, wanted.options);
    ledger.previous = null;
  }
  return (ledger.current ??= ledger.book.addFirst());
}

/** A start marker stands and the step does not rise above what the run had reached at it: a new attempt begins with this point. */
function beginMarked<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, point: P): boolean {
  // What the run had reached at the marker counts: the second metric of the first line after it is no fall-back.
  if (ledger.marker === null || point.step > ledger.marker.reached) return false;
  for (const strand of allStrands(ledger)) fold(ledger, current, strand);
  const attempt = ledger.book.add("marker", current, branchBefore(point.step, ledger.tracks.all(current.name), null));
  attempt.startMarker = ledger.marker.reason;
  moveOn(ledger, current, attempt);
  ledger.marker = null;
  ledger.tracks.of(attempt.name, point.series).tracks.push(newTrack(null, point.step, point.value));
  emit(ledger, { point, order: ledger.order }, { attempt: attempt.name, writer: null });
  return true;
}

/** The run goes on above what it had reached: after a few such points the marker announced nothing. */
function countMarker<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, reached: number | null): void {
  if (ledger.marker === null || current.lastStep === reached) return;
  ledger.marker.goneOn++;
  if (ledger.marker.goneOn >= MARKER_POINTS) ledger.marker = null;
}

/** A named attempt branches where its first step says, unless the source has said where. */
function setBranchOfNamed<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, point: P): void {
  if (current.branchGiven) return;
  current.branchGiven = true;
  const parent = current.parent === null ? undefined : ledger.book.get(current.parent);
  if (parent?.lastStep === undefined || parent.lastStep === null) return;
  const branch = point.step > parent.lastStep ? parent.lastStep : branchBefore(point.step, ledger.tracks.all(parent.name), null);
  current.branchStep = branch <= 0 ? null : branch;
}

/** Places what is held: fallen points and their followers as the attempt they would begin, twins as a further writer. */
function guess<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>): void {
  const current = ledger.current;
  if (current === null || strand.held.length === 0) return;
  strand.given ??= guessedIdentity(ledger, current, strand);
  for (const held of strand.held) emitGuess(ledger, held, strand.given);
  strand.held = [];
}

function guessedIdentity<P extends LineagePoint>(
  ledger: Ledger<P>,
  current: BookedAttempt,
  strand: Strand<P>,
): { attempt: string; writer: string | null } {
  if (strand.kind === "twin" || ledger.naming) return { attempt: current.name, writer: freeWriter(ledger, strand.series, current.name) };
  const attempt = (ledger.provisional ??= ledger.book.nextName());
  const first = !(ledger.strands.get(strand.series) ?? []).some((other) => other.given?.attempt === attempt);
  return { attempt, writer: first ? null : freeWriter(ledger, strand.series, attempt) };
}

/** The attempts as they stand with what is guessed: guessed sequences count, and what has fallen is an attempt for now. */
function listAttempts<P extends LineagePoint>(ledger: Ledger<P>): Attempt[] {
  const booked = ledger.book.all.map((attempt) => ({ ...attempt }));
  const draft = provisionalAttempt(ledger);
  if (draft !== undefined) booked.push(draft);
  for (const { attempt: name, first, last } of guessedReach(ledger)) {
    const attempt = booked.find((each) => each.name === name);
    if (attempt === undefined) continue;
    ledger.book.reach(attempt, first);
    ledger.book.reach(attempt, last);
  }
  return booked.map(publicAttempt);
}

function provisionalAttempt<P extends LineagePoint>(ledger: Ledger<P>): BookedAttempt | undefined {
  const { provisional, current } = ledger;
  const fallen = longestFallen(ledger);
  if (provisional === null || current === null || fallen === null) return undefined;
  return { ...ledger.book.draft("step-fell-back", current, branchAt(fallen.first, fallen.gap, fallen)), name: provisional };
}

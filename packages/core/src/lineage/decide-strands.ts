import type { BookedAttempt } from "./attempt-book.ts";
import type { LineagePoint } from "./contract.ts";
import { refuteJump } from "./far-jump.ts";
import { type Ledger, addStrand, freeWriter, moveOn, release, removeStrand } from "./ledger.ts";
import { type Strand, verdict } from "./strand.ts";
import { type Track, cadence, nearness } from "./track.ts";
import { type SeriesTracks, nextWriter } from "./track-store.ts";

/** Acts on what the strand has turned out to be; nothing while it is undecided. */
export function judge<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>): void {
  const current = ledger.current;
  if (current === null) return;
  const found = verdict(strand);
  if (found === "attempt") {
    if (strand.kind === "fallen" && refuteJump(ledger, current, strand)) {
      if (ledger.fallen === 0) foldFollowers(ledger, current);
      return;
    }
    if (ledger.naming) goOnInPlace(ledger, current, strand);
    else beginFallenAttempt(ledger, current, strand);
  } else if (found === "writer") {
    if (strand.kind === "twin") becomeWriter(ledger, current, strand);
    else fallenBecomeWriters(ledger, current);
  } else if (found === "stray") {
    // It spoke more than once and yet is no writer: second values on a step are this series' way.
    if (strand.kind === "twin" && strand.count > 1) ledger.tracks.of(current.name, strand.series).manyAt = "always";
    fold(ledger, current, strand);
  }
}

/** Before a marker or a name: what has fallen and was last to move is an attempt of its own, however short; the rest are strays. */
export function settleFallen<P extends LineagePoint>(ledger: Ledger<P>): void {
  const current = ledger.current;
  if (current === null) return;
  const fallen = allStrands(ledger).filter((strand) => strand.kind === "fallen");
  const newest = fallen.filter((strand) => strand.run > 0).sort((a, b) => b.count - a.count)[0];
  if (newest !== undefined && !ledger.naming) beginFallenAttempt(ledger, current, newest);
  const now = ledger.current;
  if (now !== null) for (const strand of allStrands(ledger)) fold(ledger, now, strand);
}

/** Strays belong to the sequence they came beside. A follower was an ordinary series all along. */
export function fold<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, strand: Strand<P>): void {
  const { tracks } = ledger.tracks.of(current.name, strand.series);
  const main = tracks[0];
  release(ledger, strand, { attempt: current.name, writer: null });
  removeStrand(ledger, strand);
  if (main === undefined) tracks.push(asTrack(strand, null));
  else if (strand.kind === "follower" && strand.last > main.last) {
    main.last = strand.last;
    main.recent = strand.recent;
  }
  if (strand.kind === "fallen" && ledger.fallen === 0) foldFollowers(ledger, current);
}

function foldFollowers<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt): void {
  for (const strand of allStrands(ledger)) if (strand.kind === "follower") fold(ledger, current, strand);
}

/** Inside an attempt that the source names a fall-back begins nothing: the sequence goes on from there. */
function goOnInPlace<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, strand: Strand<P>): void {
  fold(ledger, current, strand);
  const main = ledger.tracks.of(current.name, strand.series).tracks[0];
  if (main === undefined) return;
  main.last = strand.last;
  main.recent = strand.recent;
}

function becomeWriter<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, strand: Strand<P>): void {
  const { tracks } = ledger.tracks.of(current.name, strand.series);
  const writer = nextWriter(tracks);
  release(ledger, strand, { attempt: current.name, writer });
  removeStrand(ledger, strand);
  tracks.push(asTrack(strand, writer));
}

/** What fell back in one series fell back in all: they share one fate. */
function fallenBecomeWriters<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt): void {
  for (const strand of allStrands(ledger)) if (strand.kind === "fallen") becomeWriter(ledger, current, strand);
  foldFollowers(ledger, current);
}

function beginFallenAttempt<P extends LineagePoint>(ledger: Ledger<P>, old: BookedAttempt, trigger: Strand<P>): void {
  for (const strand of allStrands(ledger)) if (!joins(strand, trigger)) fold(ledger, old, strand);
  const oldTracks = ledger.tracks.all(old.name);
  const branch = branchBefore(trigger.first, oldTracks, cadence(trigger));
  const attempt = ledger.book.add("step-fell-back", old, branch);
  moveOn(ledger, old, attempt);
  const bySeries = [...ledger.strands];
  for (const [series, strands] of bySeries) {
    const [main, ...others] = [...strands].sort((a, b) => (a === trigger ? -1 : b === trigger ? 1 : b.count - a.count));
    if (main === undefined) continue;
    release(ledger, main, { attempt: attempt.name, writer: null });
    removeStrand(ledger, main);
    ledger.tracks.of(attempt.name, series).tracks.push(asTrack(main, null));
    for (const other of others) settleBeside(ledger, attempt, other, (oldTracks.get(series)?.tracks.length ?? 0) > 1);
  }
  ledger.provisional = null;
}

/** The other sequence of a series that fell back with the main one: a known second writer, or a twin of the new attempt. */
function settleBeside<P extends LineagePoint>(ledger: Ledger<P>, attempt: BookedAttempt, strand: Strand<P>, hadWriters: boolean): void {
  if (hadWriters) {
    becomeWriter(ledger, attempt, strand);
    return;
  }
  removeStrand(ledger, strand);
  strand.kind = "twin";
  strand.run = 0;
  strand.turns = 1;
  strand.moves = 0;
  strand.stale = 0;
  strand.sharesFirst = strand.count === 1;
  if (strand.sharesFirst) {
    release(ledger, strand, { attempt: attempt.name, writer: null });
    strand.given = null;
  } else if (strand.given !== null && strand.given.attempt !== attempt.name) {
    const becomes = { attempt: attempt.name, writer: freeWriter(ledger, strand.series, attempt.name) };
    ledger.corrections.push({ series: strand.series, ...strand.given, becomes });
    strand.given = becomes;
  }
  addStrand(ledger, strand);
}

/** Whether a strand belongs to the attempt that the trigger has shown. */
function joins<P extends LineagePoint>(strand: Strand<P>, trigger: Strand<P>): boolean {
  if (strand === trigger || strand.kind === "follower") return true;
  if (strand.run === 0) return false;
  if (strand.kind === "twin") return strand.count > 1 && strand.last <= trigger.last + nearness(trigger);
  return strand.series !== trigger.series || Math.abs(strand.first - trigger.first) <= nearness(trigger);
}

/**
 * Last step of the old attempt that one beginning at `first` builds on: the newest remembered below it, where the memory of any series
 * reaches so far back; else one usual gap before, of whatever is logged most often.
 */
export function branchBefore(first: number, old: ReadonlyMap<string, SeriesTracks>, gap: number | null): number {
  return branchAt(first, gap, memoryBefore(first, old));
}

/** What all series of an attempt remember of where a later one that begins at `first` branched off. */
export interface BranchMemory {
  /** The newest step below `first`. */
  readonly remembered: number | null;
  /** The smallest usual gap. */
  readonly usualGap: number | null;
}

export function branchAt(first: number, gap: number | null, { remembered, usualGap }: BranchMemory): number {
  return remembered ?? first - (gap === null || usualGap === null ? (gap ?? usualGap ?? 1) : Math.min(gap, usualGap));
}

export function memoryBefore(first: number, old: ReadonlyMap<string, SeriesTracks>): BranchMemory {
  let remembered: number | null = null;
  let usualGap: number | null = null;
  for (const { tracks } of old.values()) {
    const main = tracks[0];
    if (main === undefined) continue;
    const usual = cadence(main);
    if (usual !== null && (usualGap === null || usual < usualGap)) usualGap = usual;
    if (main.last < first) continue;
    const before = main.recent.findLast(([step]) => step < first)?.[0];
    if (before !== undefined && (remembered === null || before > remembered)) remembered = before;
  }
  return { remembered, usualGap };
}

function asTrack<P extends LineagePoint>(strand: Strand<P>, writer: string | null): Track {
  return { writer, last: strand.last, recent: strand.recent, ahead: null, jump: null };
}

export function allStrands<P extends LineagePoint>(ledger: Ledger<P>): Strand<P>[] {
  return [...ledger.strands.values()].flat();
}

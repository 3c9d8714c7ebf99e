import type { BookedAttempt } from "./attempt-book.ts";
import type { LineagePoint } from "./contract.ts";
import { type Ledger, emit, release, removeStrand, sameIdentity } from "./ledger.ts";
import type { Identity, Strand } from "./strand.ts";
import { type Track, cadence, extendTrack, isFarBeyond, newTrack } from "./track.ts";

/** A sequence that began with so many points far above what followed did begin there. */
const BEGUN_POINTS = 3;

/** Whether `step` lies between where the sequence was before a jump that is in doubt and the jump, and far below that. */
export function liesFarBelowJump(track: Track, step: number): boolean {
  for (let jump = track.jump; jump !== null; jump = jump.before?.jump ?? null) {
    if (!isFarBeyond(step, jump.first, jump.before === null ? null : cadence(jump.before))) continue;
    if (jump.before === null ? jump.count < BEGUN_POINTS : step > jump.before.last) return true;
  }
  return false;
}

/** Whether `step` goes with a jump that is in doubt rather than with a sequence far below it. */
export function standsBeyondJump({ jump }: Track, sequence: Pick<Track, "last" | "recent">, step: number): boolean {
  return jump !== null && step >= jump.first && isFarBeyond(sequence.last, step, cadence(sequence));
}

/**
 * A jump far beyond is believed where nothing speaks against it. Now the run has gone on far below: the jump was none of its steps. What
 * stands beyond it is flagged, all series that made the same jump are back where they were, and what has fallen goes on from there.
 * @returns whether that says all about the strand.
 */
export function refuteJump<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, strand: Strand<P>): boolean {
  let refuted = false;
  for (;;) {
    const track = ledger.tracks.peek(current.name, strand.series)?.tracks.find((each) => isRefuted(each, strand));
    const first = track?.jump?.first;
    if (first === undefined) break;
    refuted = true;
    for (const [series, { tracks }] of ledger.tracks.all(current.name))
      for (const each of [...tracks]) if (each.jump?.first === first) dropJump(ledger, current, series, each);
  }
  if (!refuted) return false;
  for (const each of [...ledger.strands.values()].flat()) if (each.kind === "fallen") goOnFrom(ledger, current, each);
  return ![...ledger.strands.values()].flat().includes(strand);
}

function isRefuted<P extends LineagePoint>({ jump }: Track, strand: Strand<P>): boolean {
  if (jump === null || !isFarBeyond(strand.last, jump.first, cadence(strand))) return false;
  return jump.before !== null || jump.count < BEGUN_POINTS;
}

/** Takes a jump back: the track is where it was before it, and the points beyond are far ones. */
export function dropJump<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, series: string, track: Track): void {
  const { jump, writer } = track;
  if (jump === null) return;
  const identity = { attempt: current.name, writer };
  let toStep = track.last;
  for (const strand of ledger.strands.get(series) ?? []) {
    if (strand.first < jump.first) continue;
    toStep = Math.max(toStep, strand.last);
    flagAll(ledger, strand, identity);
  }
  ledger.corrections.push({ series, ...identity, becomes: identity, reflag: { fromStep: jump.first, toStep, flag: "far-step" } });
  track.jump = jump.before?.jump ?? null;
  track.ahead = null;
  if (jump.before === null) {
    const { tracks } = ledger.tracks.of(current.name, series);
    tracks.splice(tracks.indexOf(track), 1);
  } else {
    track.last = jump.before.last;
    track.recent = [...jump.before.recent];
  }
  reachAgain(ledger, current, jump.first);
}

/** What is undecided beside far points is far like them. */
function flagAll<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>, identity: Identity): void {
  if (strand.given !== null && !sameIdentity(strand.given, identity))
    ledger.corrections.push({ series: strand.series, ...strand.given, becomes: identity });
  for (const held of strand.held) emit(ledger, held, identity, "far-step");
  removeStrand(ledger, strand);
}

/** What the attempt had reached beyond the jump it has not. */
function reachAgain<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, jump: number): void {
  if (current.lastStep === null || current.lastStep < jump) return;
  if (current.firstStep !== null && current.firstStep >= jump) current.firstStep = null;
  current.lastStep = current.firstStep;
  for (const { tracks } of ledger.tracks.all(current.name).values()) {
    for (const { recent, last } of tracks) {
      ledger.book.reach(current, recent[0]?.[0] ?? last);
      ledger.book.reach(current, last);
    }
  }
}

/** What has fallen behind a jump that was none goes on from where its series was. */
function goOnFrom<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt, strand: Strand<P>): void {
  const { tracks } = ledger.tracks.of(current.name, strand.series);
  const [main] = tracks;
  if (main !== undefined && strand.first <= main.last) return;
  release(ledger, strand, { attempt: current.name, writer: main?.writer ?? null });
  removeStrand(ledger, strand);
  const [begin = [strand.first, Number.NaN] as const, ...others] = strand.recent;
  const track = main ?? newTrack(null, ...begin);
  if (main === undefined) tracks.push(track);
  else extendTrack(track, ...begin);
  for (const point of others) extendTrack(track, ...point);
}

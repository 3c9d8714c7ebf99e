import { type AttemptBook, type BookedAttempt, attemptBook } from "./attempt-book.ts";
import type {
  HeldSeries,
  LineageCorrection,
  LineagePoint,
  LineageState,
  NamedAttemptOptions,
  PlacedPoint,
  Placement,
  UndecidedState,
} from "./contract.ts";
import { type HeldPoint, type Identity, type Strand, strandFrom } from "./strand.ts";
import { type TrackStore, nextWriter, trackStore } from "./track-store.ts";

/** Everything one run's lineage knows and has to say; the rules in the files beside it work on this. */
export interface Ledger<P extends LineagePoint> {
  readonly book: AttemptBook;
  readonly tracks: TrackStore;
  /** Undecided sequences by series. */
  readonly strands: Map<string, Strand<P>[]>;
  /** How many of them have fallen back. */
  fallen: number;
  /**
   * What is undecided of series that the state did not hold, `strands` and `fallen` without those that it did; null where it held all. Not null
   * where it happened to hold all that is undecided: what is remembered of the others still counts.
   */
  readonly elsewhere: UndecidedState | null;
  /** Place of the next series that becomes undecided. */
  nextPlace: number;
  current: BookedAttempt | null;
  /** The attempt that was current before: its sequences may still go on. */
  previous: string | null;
  /** Whether the source names the attempts. */
  naming: boolean;
  /** Named, but without a point so far: an attempt is entered with its first point. */
  wanted: { readonly name: string; readonly options: NamedAttemptOptions } | null;
  marker: { reason: string; reached: number; goneOn: number } | null;
  /** Name under which fallen points were placed by guess. */
  provisional: string | null;
  /** Points placed since something fallen last moved. */
  idle: number;
  order: number;
  out: { order: number; placed: PlacedPoint<P> }[];
  corrections: LineageCorrection[];
}

export function newLedger<P extends LineagePoint>(state: LineageState | undefined, holds: HeldSeries): Ledger<P> {
  const book = attemptBook(state?.attempts ?? [], state?.numbered ?? 0);
  const ledger: Ledger<P> = {
    book,
    tracks: trackStore(state?.tracks ?? []),
    strands: new Map(),
    fallen: 0,
    elsewhere: state === undefined || holds === "all" ? null : elsewhereOf(state),
    nextPlace: 0,
    current: state?.current === undefined || state.current === null ? null : (book.get(state.current) ?? null),
    previous: state?.previous ?? null,
    naming: state?.naming ?? false,
    wanted: state?.wanted ?? null,
    marker: state?.marker === undefined || state.marker === null ? null : { ...state.marker },
    provisional: state?.provisional ?? null,
    idle: state?.idle ?? 0,
    order: 0,
    out: [],
    corrections: [],
  };
  for (const entry of state?.strands ?? []) {
    ledger.nextPlace = entry.place ?? ledger.nextPlace;
    addStrand(ledger, strandFrom<P>(entry));
  }
  ledger.nextPlace = Math.max(ledger.nextPlace, state?.undecided?.nextPlace ?? 0);
  return ledger;
}

function elsewhereOf({ undecided, strands }: LineageState): UndecidedState | null {
  if (undecided === undefined) return null;
  const fallen = strands.filter(({ kind }) => kind === "fallen").length;
  return { ...undecided, strands: undecided.strands - strands.length, fallen: undecided.fallen - fallen };
}

/** The run goes on in `attempt`, after `old`. Ends of what came before `old` are of no more use. */
export function moveOn<P extends LineagePoint>(ledger: Ledger<P>, old: BookedAttempt, attempt: BookedAttempt): void {
  forgetPrevious(ledger);
  ledger.current = attempt;
  ledger.previous = old.name;
}

/** Once the new attempt has passed the last step of the one before, nothing can be told to go on from there. */
export function forgetPassed<P extends LineagePoint>(ledger: Ledger<P>, current: BookedAttempt): void {
  if (ledger.previous === null || current.lastStep === null) return;
  const last = ledger.book.get(ledger.previous)?.lastStep ?? null;
  if (last === null || current.lastStep > last) forgetPrevious(ledger);
}

function forgetPrevious<P extends LineagePoint>(ledger: Ledger<P>): void {
  const previous = ledger.previous === null ? undefined : ledger.book.get(ledger.previous);
  // A source may come back to an attempt that it named.
  if (previous !== undefined && !previous.named) ledger.tracks.drop(previous.name);
  ledger.previous = null;
}

export function addStrand<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>): void {
  if (strand.kind === "fallen") ledger.fallen++;
  const known = ledger.strands.get(strand.series);
  strand.place = known?.[0]?.place ?? ledger.nextPlace++;
  if (known === undefined) ledger.strands.set(strand.series, [strand]);
  else known.push(strand);
}

export function removeStrand<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>): void {
  const known = ledger.strands.get(strand.series) ?? [];
  const rest = known.filter((other) => other !== strand);
  if (rest.length === known.length) return;
  if (rest.length === 0) ledger.strands.delete(strand.series);
  else ledger.strands.set(strand.series, rest);
  if (strand.kind === "fallen") ledger.fallen--;
  if (ledger.fallen === 0) ledger.provisional = null;
}

/** Says where a point belongs for good. */
export function emit<P extends LineagePoint>(
  ledger: Ledger<P>,
  held: HeldPoint<P>,
  identity: Identity,
  flag: Placement["flag"] = null,
): void {
  const attempt = ledger.book.get(identity.attempt);
  if (attempt !== undefined && flag === null) ledger.book.reach(attempt, held.point.step);
  emitGuess(ledger, held, identity, flag);
}

/** Says where a point is taken to belong for now: the reach of an attempt counts what is decided only. */
export function emitGuess<P extends LineagePoint>(
  ledger: Ledger<P>,
  held: HeldPoint<P>,
  identity: Identity,
  flag: Placement["flag"] = null,
): void {
  ledger.out.push({
    order: held.order,
    placed: { point: held.point, placement: { attempt: identity.attempt, writer: identity.writer, flag } },
  });
}

/** Says where an undecided sequence belongs for good: what was placed by another guess is corrected, what is held is placed. */
export function release<P extends LineagePoint>(ledger: Ledger<P>, strand: Strand<P>, identity: Identity): void {
  vacate(ledger, strand, identity);
  if (strand.given !== null) {
    const attempt = ledger.book.get(identity.attempt);
    if (attempt !== undefined) {
      ledger.book.reach(attempt, strand.first);
      ledger.book.reach(attempt, strand.last);
    }
    if (!sameIdentity(strand.given, identity)) ledger.corrections.push({ series: strand.series, ...strand.given, becomes: identity });
  }
  for (const held of strand.held) emit(ledger, held, identity);
  strand.held = [];
  strand.given = identity;
}

/** A guess must never stand under a name that something decided now takes. */
function vacate<P extends LineagePoint>(ledger: Ledger<P>, taker: Strand<P>, identity: Identity): void {
  for (const other of ledger.strands.get(taker.series) ?? []) {
    if (other === taker || other.given === null || !sameIdentity(other.given, identity)) continue;
    const becomes = { attempt: identity.attempt, writer: freeWriter(ledger, taker.series, identity.attempt) };
    ledger.corrections.push({ series: other.series, ...other.given, becomes });
    other.given = becomes;
  }
}

export function sameIdentity(a: Identity, b: Identity): boolean {
  return a.attempt === b.attempt && a.writer === b.writer;
}

/** A writer's label that neither a decided nor a guessed sequence of the series bears in that attempt. */
export function freeWriter<P extends LineagePoint>(ledger: Ledger<P>, series: string, attempt: string): string {
  const tracks = ledger.tracks.peek(attempt, series)?.tracks ?? [];
  const guessed = (ledger.strands.get(series) ?? []).map((strand) => strand.given);
  let number = Number(nextWriter(tracks) ?? "2");
  while (guessed.some((given) => given?.attempt === attempt && given.writer === String(number))) number++;
  return String(number);
}

const NOTHING: readonly never[] = [];

/** The points decided since the last call, in the order of arrival. */
export function takeOut<P extends LineagePoint>(ledger: Ledger<P>): readonly PlacedPoint<P>[] {
  const { out } = ledger;
  const [first] = out;
  if (first === undefined) return NOTHING;
  // One point in and the same point out is the rule, a million times in a push: nothing is copied for it.
  if (out.length === 1) {
    out.length = 0;
    return [first.placed];
  }
  ledger.out = [];
  out.sort((a, b) => a.order - b.order);
  return out.map(({ placed }) => placed);
}

/** The corrections since the last call, in order. */
export function takeCorrections<P extends LineagePoint>(ledger: Ledger<P>): readonly LineageCorrection[] {
  const { corrections } = ledger;
  if (corrections.length === 0) return NOTHING;
  ledger.corrections = [];
  return corrections;
}

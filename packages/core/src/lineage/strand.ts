import type { LineagePoint, StrandState } from "./contract.ts";
import { rememberedFrom, rememberedState } from "./track.ts";

/** So many points in a row without the old sequence going on are a new attempt (product.md). */
const ATTEMPT_POINTS = 3;
/** Both sequences go on: three points of the new one, the old one having moved in between twice. */
const WRITER_POINTS = 3;
const WRITER_TURNS = 2;
/** A second writer in step speaks as often as the first; what speaks half as often only repeats some of its steps. */
const TWIN_MOVES_A_POINT = 1;
/** The old sequence went on so often without it: what fell back were strays. */
const STALE_POINTS = 8;
const MEMORY = 8;
/** So many points of a series that only follows what has fallen: it is an ordinary series. */
const FOLLOWER_POINTS = 16;
/** So many visits, repeats counted, without a verdict: it goes nowhere. */
const VISITS = 64;

export interface Identity {
  readonly attempt: string;
  readonly writer: string | null;
}

export interface HeldPoint<P> {
  readonly point: P;
  /** Place in the order of arrival. */
  readonly order: number;
}

/**
 * A sequence that is not decided yet. `fallen`: its step fell back. `twin`: it began with a second value on the newest step.
 * `follower`: of a series that did not fall back itself but may belong to what has fallen.
 */
export interface Strand<P extends LineagePoint> {
  readonly series: string;
  /** Of its series among the undecided ones; set when it becomes one of them. */
  place: number;
  kind: StrandState["kind"];
  /** First step of its own. */
  first: number;
  /** Its first point stands on a step of the old sequence and was placed there; its own begin after it. */
  sharesFirst: boolean;
  last: number;
  recent: (readonly [step: number, value: number])[];
  count: number;
  /** Exact repeats of its points. */
  repeats: number;
  /** Points in a row since the old sequence last moved. */
  run: number;
  /** How often the old sequence moved after this one had. */
  turns: number;
  /** All moves of the old sequence since this one began. */
  moves: number;
  /** Moves of the old sequence since this one last moved. */
  stale: number;
  held: HeldPoint<P>[];
  /** Where its points were placed by a best guess; null while none was. */
  given: Identity | null;
}

export function newStrand<P extends LineagePoint>(
  kind: StrandState["kind"],
  { series, step, value }: Pick<LineagePoint, "series" | "step" | "value">,
): Strand<P> {
  return {
    series,
    place: 0,
    kind,
    first: step,
    sharesFirst: kind === "twin",
    last: step,
    recent: [[step, value]],
    count: 1,
    repeats: 0,
    run: 1,
    turns: 0,
    moves: 0,
    stale: 0,
    held: [],
    given: null,
  };
}

export function extendStrand<P extends LineagePoint>(strand: Strand<P>, point: Pick<LineagePoint, "step" | "value">): void {
  if (strand.sharesFirst && strand.count === 1) strand.first = point.step;
  strand.last = point.step;
  strand.recent.push([point.step, point.value]);
  if (strand.recent.length > MEMORY) strand.recent.shift();
  strand.count++;
  strand.run++;
  strand.stale = 0;
}

/** The old sequence of the same series has moved. */
export function oldSequenceMoved<P extends LineagePoint>(strand: Strand<P>): void {
  if (strand.run > 0) strand.turns++;
  strand.run = 0;
  strand.moves++;
  strand.stale++;
}

/** Whether so many more points leave what has fallen undecided. */
export function staysFallen<P extends LineagePoint>({ kind, count, repeats }: Strand<P>, more: number): boolean {
  return kind === "fallen" && count + more < Math.min(ATTEMPT_POINTS, WRITER_POINTS) && count + more + repeats < VISITS;
}

export type Verdict = "attempt" | "writer" | "stray" | "undecided";

/** What a strand has turned out to be. Followers never decide. */
export function verdict<P extends LineagePoint>(strand: Strand<P>): Verdict {
  if (strand.count + strand.repeats >= VISITS) return "stray";
  if (strand.kind === "follower") return strand.count >= FOLLOWER_POINTS ? "stray" : "undecided";
  const points = strand.sharesFirst ? ATTEMPT_POINTS + 1 : ATTEMPT_POINTS;
  if (strand.run >= ATTEMPT_POINTS && strand.count >= points) return "attempt";
  if (strand.count >= WRITER_POINTS && strand.turns >= WRITER_TURNS)
    return strand.kind === "twin" && strand.moves > TWIN_MOVES_A_POINT * strand.count ? "stray" : "writer";
  return strand.stale >= STALE_POINTS ? "stray" : "undecided";
}

export function strandState<P extends LineagePoint>(strand: Strand<P>): StrandState {
  const { held: _held, recent, ...rest } = strand;
  return { ...rest, recent: rememberedState(recent) };
}

export function strandFrom<P extends LineagePoint>(state: StrandState): Strand<P> {
  return { ...state, place: state.place ?? 0, recent: rememberedFrom(state.recent), held: [] };
}

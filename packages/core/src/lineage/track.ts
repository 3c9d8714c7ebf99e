import { fromJsonNumber, toJsonNumber } from "../non-finite.ts";
import type { JumpState, TrackState } from "./contract.ts";

/** Points remembered a track: enough for a cadence and to know a repeat; a state of 64 series stays near 10 kB. */
const MEMORY = 8;
/** A late point fills a hole among the last three gaps; deeper it is a fall-back. */
const LATE_POINTS = 4;
/** A jump of a thousand usual gaps that also doubles the step is no step of this run until more follow. */
const FAR_GAPS = 1000;
const FAR_RATIO = 2;
/** What follows within three usual gaps goes on from there. */
export const NEAR_GAPS = 3;

/** One sequence of points with rising steps: what one writer says about one series. */
export interface Track {
  readonly writer: string | null;
  last: number;
  /** The newest points of the sequence, rising. */
  recent: (readonly [step: number, value: number])[];
  /** Points far ahead that have not been believed yet. */
  ahead: { first: number; last: number; count: number; mainSince: number } | null;
  /** A far jump that was believed not long ago, and where the sequence was before it; null `before`: it began there. */
  jump: Jump | null;
}

interface Jump {
  readonly first: number;
  /** Points beyond. */
  count: number;
  readonly before: Pick<Track, "last" | "recent" | "jump"> | null;
}

/** So many points beyond a far jump put it beyond doubt. */
const DOUBTED_POINTS = 8;

export function newTrack(writer: string | null, step: number, value: number): Track {
  const jump = step > FAR_GAPS ? { first: step, count: 1, before: null } : null;
  return { writer, last: step, recent: [[step, value]], ahead: null, jump };
}

export function extendTrack(track: Track, step: number, value: number): void {
  track.last = step;
  track.recent.push([step, value]);
  if (track.recent.length > MEMORY) track.recent.shift();
  if (track.jump === null) return;
  track.jump.count++;
  if (track.jump.count > DOUBTED_POINTS) track.jump = null;
}

/** The usual gap between steps: the median of those remembered; null until two points are known. */
export function cadence(track: Pick<Track, "recent">): number | null {
  return medianGap(track.recent, track.recent.length);
}

function medianGap(recent: Track["recent"], length: number): number | null {
  const gaps: number[] = [];
  for (let index = 1; index < length; index++) {
    const gap = (recent[index]?.[0] ?? 0) - (recent[index - 1]?.[0] ?? 0);
    if (gap > 0) gaps.push(gap);
  }
  gaps.sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? null;
}

/** Whether exactly this point (NaN equals NaN) is remembered. */
export function remembers(track: Pick<Track, "recent">, step: number, value: number): boolean {
  return track.recent.some(([seenStep, seenValue]) => seenStep === step && Object.is(seenValue, value));
}

/** Whether `step` goes on from the end of the track within a few usual gaps. */
export function goesOnFrom(track: Track, step: number): boolean {
  const gap = cadence(track);
  return gap !== null && step > track.last && step - track.last <= NEAR_GAPS * gap;
}

/** Whether `step` leaves the end of the track further behind than a few usual gaps. */
export function leavesBehind(track: Track, step: number): boolean {
  const lastGap = track.last - (track.recent.at(-2)?.[0] ?? track.last);
  if (step - track.last <= lastGap) return false;
  const gap = cadence(track);
  return gap !== null && step - track.last > NEAR_GAPS * gap;
}

export function nearness(track: Pick<Track, "recent">): number {
  return NEAR_GAPS * (cadence(track) ?? 1);
}

/** Whether `step` lies so far beyond `last` that it is no step of a sequence with these gaps. */
export function isFarBeyond(last: number, step: number, gap: number | null): boolean {
  return step - last > FAR_GAPS * (gap ?? 1) && step > FAR_RATIO * Math.abs(last);
}

/** Whether `step` is so far ahead that a lone point there is more likely wrong than real. Needs three known gaps. */
export function isFarAhead(track: Track, step: number): boolean {
  return track.recent.length >= LATE_POINTS && leavesBehind(track, step) && isFarBeyond(track.last, step, cadence(track));
}

/** Whether `step` goes on from points that were taken for far ones: as near to them as steps of this run are to each other. */
export function goesOnAhead(track: Track, step: number): boolean {
  return track.ahead !== null && step > track.ahead.last && step - track.ahead.last <= FAR_GAPS * (cadence(track) ?? 1);
}

/** Keeps what the track was before it goes on at `first` far beyond, until `count` points there have become enough. */
export function doubtJump(track: Track, first: number, count: number): void {
  track.jump = { first, count, before: { last: track.last, recent: [...track.recent], jump: track.jump } };
}

/** Whether a step is far beyond the end of a track of which too little is known to flag it at once. */
export function jumpsEarly(track: Track, step: number): boolean {
  return track.recent.length < LATE_POINTS && isFarBeyond(track.last, step, cadence(track));
}

/** Whether `step` goes on from before a far jump of a single point: then the jump is the stranger and not this point. */
export function followsFarJump(track: Track, step: number): boolean {
  const before = track.jump?.count === 1 ? track.jump.before : null;
  return before !== null && step > before.last && step - before.last <= NEAR_GAPS * (cadence(before) ?? 1);
}

/**
 * Whether `step` came late: it fills a hole near the end of the track, nothing fell back. A track of a few points may have begun with a
 * later one; a reset is seen by steps that come again or that go on further below.
 */
export function isLate(track: Track, step: number): boolean {
  if (step >= track.last || track.recent.some(([seen]) => seen === step)) return false;
  const oldest = track.recent.at(-LATE_POINTS)?.[0];
  if (oldest !== undefined) return step > oldest;
  return step > track.last - LATE_POINTS * (smallestGap(track) ?? (step > 0 ? commonDivisor(track.last, step) : 1));
}

function smallestGap({ recent }: Track): number | null {
  let smallest: number | null = null;
  for (let index = 1; index < recent.length; index++) {
    const gap = (recent[index]?.[0] ?? 0) - (recent[index - 1]?.[0] ?? 0);
    if (gap > 0 && (smallest === null || gap < smallest)) smallest = gap;
  }
  return smallest;
}

/** Of two steps: what a run that logs every so many steps would have for a gap. */
function commonDivisor(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** Remembers a late point where so little is known that it tells of the cadence and of steps that come again. */
export function rememberLate(track: Track, step: number, value: number): void {
  if (track.recent.length >= LATE_POINTS) return;
  track.recent.push([step, value]);
  track.recent.sort(([a], [b]) => a - b);
}

/**
 * Whether the newest point of the track was itself a lone jump and `step` goes on from the point before it: then the jump is the
 * stranger and not this point. Needs three gaps before the jump.
 */
export function followsLoneJump(track: Track, step: number): boolean {
  const before = track.recent.at(-2)?.[0];
  if (before === undefined || step <= before || step >= track.last) return false;
  const length = track.recent.length - 1;
  const gap = length < 4 ? null : medianGap(track.recent, length);
  return gap !== null && track.last - before > NEAR_GAPS * gap && step - before <= NEAR_GAPS * gap;
}

/** Takes the lone jump at the end of the track out of it and goes on with the point that follows the one before. */
export function replaceLoneJump(track: Track, step: number, value: number): void {
  track.recent.pop();
  extendTrack(track, step, value);
}

export function trackState(track: Track): TrackState {
  return {
    writer: track.writer,
    last: track.last,
    recent: rememberedState(track.recent),
    ahead: track.ahead === null ? null : { ...track.ahead },
    ...jumpState(track.jump),
  };
}

function jumpState(jump: Jump | null): { readonly jump?: JumpState } {
  if (jump === null) return {};
  const { first, count, before } = jump;
  if (before === null) return { jump: { first, count, before } };
  return { jump: { first, count, before: { last: before.last, recent: rememberedState(before.recent), ...jumpState(before.jump) } } };
}

function jumpFrom(jump: JumpState | undefined): Jump | null {
  if (jump === undefined) return null;
  const { first, count, before } = jump;
  return {
    first,
    count,
    before: before === null ? null : { last: before.last, recent: rememberedFrom(before.recent), jump: jumpFrom(before.jump) },
  };
}

export function trackFrom(state: TrackState): Track {
  return {
    writer: state.writer,
    last: state.last,
    recent: rememberedFrom(state.recent),
    ahead: state.ahead === null ? null : { ...state.ahead, first: state.ahead.first ?? state.ahead.last },
    jump: jumpFrom(state.jump),
  };
}

export function rememberedState(recent: Track["recent"]): TrackState["recent"] {
  return recent.map(([step, value]) => [step, toJsonNumber(value)]);
}

export function rememberedFrom(recent: TrackState["recent"]): Track["recent"] {
  return recent.map(([step, value]) => [step, fromJsonNumber(value) ?? Number.NaN]);
}

import { fromJsonNumber, toJsonNumber } from "../non-finite.ts";
import type { TrackState } from "./contract.ts";

/** Points remembered a track: enough for a cadence and to know a repeat; a state of 64 series stays near 10 kB. */
const MEMORY = 8;
/** A late point fills a hole among the last three gaps; deeper it is a fall-back. */
const LATE_POINTS = 4;
/** A jump of a thousand usual gaps that also doubles the step is no step of this run until more follow. */
const FAR_GAPS = 1000;
const FAR_RATIO = 2;
/** What follows within three usual gaps goes on from there. */
const NEAR_GAPS = 3;

/** One sequence of points with rising steps: what one writer says about one series. */
export interface Track {
  readonly writer: string | null;
  last: number;
  /** The newest points of the sequence, rising. */
  recent: (readonly [step: number, value: number])[];
  /** Points far ahead that have not been believed yet. */
  ahead: { last: number; count: number; mainSince: number } | null;
}

export function newTrack(writer: string | null, step: number, value: number): Track {
  return { writer, last: step, recent: [[step, value]], ahead: null };
}

export function extendTrack(track: Track, step: number, value: number): void {
  track.last = step;
  track.recent.push([step, value]);
  if (track.recent.length > MEMORY) track.recent.shift();
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

/** Whether `step` is so far ahead that a lone point there is more likely wrong than real. Needs three known gaps. */
export function isFarAhead(track: Track, step: number): boolean {
  if (track.recent.length < 4 || !leavesBehind(track, step)) return false;
  const gap = cadence(track) ?? 1;
  return step - track.last > FAR_GAPS * gap && step > FAR_RATIO * Math.abs(track.last);
}

/** Whether `step` fills a hole near the end of the track: it came late, nothing fell back. */
export function isLate(track: Track, step: number): boolean {
  const oldest = track.recent.at(-LATE_POINTS)?.[0];
  if (oldest === undefined || step <= oldest || step >= track.last) return false;
  return !track.recent.some(([seen]) => seen === step);
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
  };
}

export function trackFrom(state: TrackState): Track {
  return {
    writer: state.writer,
    last: state.last,
    recent: rememberedFrom(state.recent),
    ahead: state.ahead === null ? null : { ...state.ahead },
  };
}

export function rememberedState(recent: Track["recent"]): TrackState["recent"] {
  return recent.map(([step, value]) => [step, toJsonNumber(value)]);
}

export function rememberedFrom(recent: TrackState["recent"]): Track["recent"] {
  return recent.map(([step, value]) => [step, fromJsonNumber(value) ?? Number.NaN]);
}

import { earliestStep } from "../series/earliest-step.ts";

/** What a statistic says at one point: fine, worth a ticket, worth a page. */
export type Level = 0 | 1 | 2;

export interface Reading {
  /** Metric that the finding speaks of; one episode at a time each. */
  readonly track: string;
  readonly level: Level;
  /** In the metric's unit, beside what it is compared with. */
  readonly value: number;
  readonly baseline: number | null;
  /** Which way is worse. */
  readonly worse: "higher" | "lower";
  /** What speaks for it, in one sentence without a full stop. */
  readonly text: string;
  /** What is known beside it and judges nothing, in the same form. */
  readonly fact?: string;
}

/** A stretch in which a statistic was out of its bounds. JSON-safe. */
export interface Episode {
  track: string;
  onsetStep: number;
  onsetTimeMs: number | null;
  onsetLowerStep: number;
  detectedStep: number;
  detectedTimeMs: number | null;
  peakStep: number;
  peak: number;
  baseline: number | null;
  text: string;
  fact?: string | undefined;
  points: number;
  isCritical: boolean;
  endStep: number | null;
}

/** One metric under watch. JSON-safe. */
export interface Track {
  lastCalmStep: number | null;
  /** Readings in a row at level 1 or above, and at level 2. */
  warnRun: number;
  pageRun: number;
  begin: { step: number; timeMs: number | null; lowerStep: number } | null;
  open: Episode | null;
  calm: number;
  lastBadStep: number;
}

/** Readings in a row: before it is a ticket, a page, and over. */
export interface Persistence {
  readonly warn: number;
  readonly page: number;
  readonly calm: number;
}

export const newTrack = (): Track => ({ lastCalmStep: null, warnRun: 0, pageRun: 0, begin: null, open: null, calm: 0, lastBadStep: 0 });

/** Takes a reading; the episode where there is something new to tell of it: it began, became a page, doubled in length at a new worst, or ended. */
export function follow(track: Track, reading: Reading, step: number, timeMs: number | null, persistence: Persistence): Episode | null {
  if (reading.level === 0) return calmed(track, step, persistence);
  track.begin ??= { step, timeMs, lowerStep: earliestStep(track.lastCalmStep, step) };
  track.warnRun++;
  track.pageRun = reading.level === 2 ? track.pageRun + 1 : 0;
  track.calm = 0;
  track.lastBadStep = step;
  const isCritical = track.pageRun >= persistence.page;
  const { open } = track;
  if (open === null) {
    if (!isCritical && track.warnRun < persistence.warn) return null;
    track.open = opened(track, track.begin, reading, step, timeMs, isCritical);
    return track.open;
  }
  open.points++;
  const isWorst = reading.worse === "higher" ? reading.value > open.peak : reading.value < open.peak;
  const isEscalated = isCritical && !open.isCritical;
  if (isWorst || isEscalated) Object.assign(open, pointOf(reading, step));
  open.isCritical ||= isCritical;
  return isEscalated || (isWorst && (open.points & (open.points - 1)) === 0) ? open : null;
}

function opened(
  track: Track,
  begin: NonNullable<Track["begin"]>,
  reading: Reading,
  step: number,
  timeMs: number | null,
  isCritical: boolean,
): Episode {
  return {
    track: reading.track,
    onsetStep: Math.min(begin.step, step),
    onsetTimeMs: begin.timeMs,
    onsetLowerStep: Math.min(begin.lowerStep, begin.step, step),
    detectedStep: step,
    detectedTimeMs: timeMs,
    ...pointOf(reading, step),
    points: track.warnRun,
    isCritical,
    endStep: null,
  };
}

/** What an episode tells of the point at which it was worst. */
function pointOf(
  { value, baseline, text, fact }: Reading,
  step: number,
): Pick<Episode, "peak" | "peakStep" | "baseline" | "text" | "fact"> {
  return { peak: value, peakStep: step, baseline, text, fact };
}

function calmed(track: Track, step: number, persistence: Persistence): Episode | null {
  track.warnRun = 0;
  track.pageRun = 0;
  const { open } = track;
  if (open !== null && ++track.calm < persistence.calm) return null;
  Object.assign(track, { begin: null, open: null, calm: 0, lastCalmStep: step });
  if (open === null) return null;
  open.endStep = track.lastBadStep;
  return open;
}

import type { LineageState } from "./contract.ts";
import { type Track, trackFrom, trackState } from "./track.ts";

/** Attempts whose ends are remembered: the current, the one before, and a few that a source may come back to by name. */
const ATTEMPTS_KEPT = 4;

/** What is known of one series within one attempt. */
export interface SeriesTracks {
  /** One a writer; the first writer first. */
  readonly tracks: Track[];
  /**
   * The step on which more than two values came: no sign of writers, but of a step that stands still. `always`: second values come now
   * and then (a validation row that repeats what the training row said), which is no writer either.
   */
  manyAt: number | "always" | null;
  /** Points by which the sequence went on after a later attempt had begun in the same series. */
  ghostPoints: number;
}

/** Ends of the sequences by attempt and series. */
export interface TrackStore {
  of(attempt: string, series: string): SeriesTracks;
  peek(attempt: string, series: string): SeriesTracks | undefined;
  all(attempt: string): ReadonlyMap<string, SeriesTracks>;
  drop(attempt: string): void;
  state(): LineageState["tracks"];
}

export function trackStore(initial: LineageState["tracks"]): TrackStore {
  const byAttempt = new Map<string, Map<string, SeriesTracks>>();
  for (const { attempt, series } of initial) {
    byAttempt.set(
      attempt,
      new Map(
        series.map((entry) => [
          entry.series,
          { tracks: entry.tracks.map(trackFrom), manyAt: entry.manyAt, ghostPoints: entry.ghostPoints },
        ]),
      ),
    );
  }

  const open = (attempt: string): Map<string, SeriesTracks> => {
    const known = byAttempt.get(attempt);
    if (known !== undefined) return known;
    const fresh = new Map<string, SeriesTracks>();
    byAttempt.set(attempt, fresh);
    const oldest = byAttempt.size > ATTEMPTS_KEPT ? byAttempt.keys().next().value : undefined;
    if (oldest !== undefined) byAttempt.delete(oldest);
    return fresh;
  };

  return {
    of(attempt, series) {
      const attemptTracks = open(attempt);
      const known = attemptTracks.get(series);
      if (known !== undefined) return known;
      const fresh: SeriesTracks = { tracks: [], manyAt: null, ghostPoints: 0 };
      attemptTracks.set(series, fresh);
      return fresh;
    },
    peek: (attempt, series) => byAttempt.get(attempt)?.get(series),
    all: (attempt) => byAttempt.get(attempt) ?? new Map<string, SeriesTracks>(),
    drop: (attempt) => void byAttempt.delete(attempt),
    state: () =>
      [...byAttempt].map(([attempt, series]) => ({
        attempt,
        series: [...series].map(([key, entry]) => ({
          series: key,
          tracks: entry.tracks.map(trackState),
          manyAt: entry.manyAt,
          ghostPoints: entry.ghostPoints,
        })),
      })),
  };
}

/** Label of the next writer of a series: the first is null, then `2`, `3`, … */
export function nextWriter(tracks: readonly Track[]): string | null {
  if (tracks.length === 0) return null;
  const taken = new Set(tracks.map((track) => track.writer));
  let number = 2;
  while (taken.has(String(number))) number++;
  return String(number);
}

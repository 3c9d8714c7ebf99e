import type { FindingPlace, Severity, Subject } from "@trainwatch/core";
import { severityRank, worstSeverity } from "@trainwatch/core";

/** A trouble as it is seen at a tick. */
export interface Sighting {
  /** What is wrong with whom: unique within the detector. */
  readonly key: string;
  /** Which of the detector's conditions it is. */
  readonly what: string;
  /** Catalogue name of what it was seen in. */
  readonly metric: string;
  readonly subject: Subject;
  readonly place: FindingPlace | null;
  readonly severity: Severity;
  /** Since when, epoch ms: the reading with which it began. */
  readonly onsetMs: number;
  readonly value: number | null;
  readonly baseline: number | null;
  /** More that its words need. */
  readonly numbers?: Readonly<Record<string, number>>;
  readonly words?: Readonly<Record<string, string>>;
}

export interface Episode extends Sighting {
  detectedMs: number;
  lastBadMs: number;
  /** Since when readings say that it is over; null while it goes on, or while there are none. */
  calmSinceMs: number | null;
  /** When it was over. */
  endMs: number | null;
  /** Nobody has seen it end: what it was of has not been read any more. */
  isUnheard: boolean;
  /** How often it has begun. */
  times: number;
  peak: number | null;
  severity: Severity;
  onsetMs: number;
  value: number | null;
  what: string;
  numbers: Readonly<Record<string, number>>;
  words: Readonly<Record<string, string>>;
  /** Of what was told last: while it goes on, for less than a doubling nothing is told again within `RETELL_MS`, but once as it stands. */
  toldTimes: number;
  toldPeak: number | null;
  toldMs: number;
  /** When a growth of less than a doubling was last told for having stopped; absent where none was. */
  stoodMs?: number;
}

export interface Hold {
  readonly clearMs: number;
  readonly foldMs: number;
}

/** What has changed by less than a doubling is told so often at most. */
const RETELL_MS = 300_000;
/**
 * A flood that is over within seconds would leave the number of its middle to be read for minutes (F1): what has not been seen for so long is told as it stands, once within
 * `RETELL_MS`, for what grows as slowly as that would seem to stand each time.
 */
const STANDS_MS = 30_000;
/** A GPU that was taken out, a source that was switched off: what nobody has had a reading about for so long is closed, and said to be so. */
const FORGET_MS = 24 * 3_600_000;

/**
 * What a detector holds open. A trouble that comes back while it is held, or within the fold time after its end, is the same episode: one finding with a count, never
 * one a flap (G1). It ends by readings that say so, not by their absence (keep-last-state, G3), unless that lasts for a day.
 */
export class EpisodeBook {
  readonly #hold: Hold;
  readonly #byKey: Map<string, Episode>;
  #changed = new Set<string>();
  #seen = new Set<string>();
  #outOfService: ReadonlySet<string> = new Set();

  constructor(hold: Hold, stored: unknown) {
    this.#hold = hold;
    this.#byKey = new Map(isStored(stored) ? stored.map((episode) => [episode.key, { ...episode }]) : []);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Those that are not over. */
  open(): readonly Episode[] {
    return [...this.#byKey.values()].filter(({ endMs }) => endMs === null);
  }

  get(key: string): Episode | null {
    return this.#byKey.get(key) ?? null;
  }

  /** Begins a tick. What is seen on a node that is out of service is a note: somebody works on it. */
  begin(outOfService: ReadonlySet<string>): void {
    this.#outOfService = outOfService;
  }

  /** The trouble is there at this tick. */
  see(seen: Sighting, nowMs: number): Episode {
    const sighting = this.#outOfService.has(seen.place?.nodeId ?? "") ? { ...seen, severity: "info" as const } : seen;
    this.#seen.add(sighting.key);
    const held = this.#byKey.get(sighting.key);
    const episode = held === undefined ? opened(sighting, nowMs) : held;
    this.#byKey.set(sighting.key, episode);
    if (held === undefined) this.#changed.add(sighting.key);
    else this.#resume(held, sighting, nowMs);
    return episode;
  }

  #resume(episode: Episode, sighting: Sighting, nowMs: number): void {
    const worse = severityRank(sighting.severity) > severityRank(episode.severity);
    if (episode.calmSinceMs !== null || episode.endMs !== null) episode.times++;
    if (worse || episode.endMs !== null) this.#changed.add(episode.key);
    episode.calmSinceMs = null;
    episode.endMs = null;
    episode.isUnheard = false;
    episode.lastBadMs = nowMs;
    episode.severity = worstSeverity(episode.severity, sighting.severity);
    episode.value = sighting.value;
    episode.what = sighting.what;
    episode.numbers = { ...episode.numbers, ...sighting.numbers };
    episode.words = { ...episode.words, ...sighting.words };
    episode.peak = further(episode.peak, sighting.value, episode.baseline);
    if (episode.times >= 2 * episode.toldTimes || hasDoubled(episode)) this.#changed.add(episode.key);
  }

  /** Whether the trouble was seen at this tick. */
  isSeen(key: string): boolean {
    return this.#seen.has(key);
  }

  /** A reading says that the trouble is not there now. */
  calm(key: string, nowMs: number): void {
    const episode = this.#byKey.get(key);
    if (episode === undefined || episode.endMs !== null || this.#seen.has(key)) return;
    episode.calmSinceMs ??= nowMs;
  }

  /** What is not seen at this tick, and of which `isRead` knows a reading, is calm. */
  calmUnseen(nowMs: number, isReadNow: (episode: Episode) => boolean): void {
    for (const episode of this.#byKey.values())
      if (episode.endMs === null && !this.#seen.has(episode.key) && isReadNow(episode)) this.calm(episode.key, nowMs);
  }

  /** Over at once, whatever the hold says. */
  end(key: string, atMs: number): void {
    const episode = this.#byKey.get(key);
    if (episode === undefined || episode.endMs !== null) return;
    episode.endMs = Math.max(atMs, episode.onsetMs);
    this.#changed.add(key);
  }

  change(key: string): void {
    if (this.#byKey.has(key)) this.#changed.add(key);
  }

  /** Ends the tick: what is new or has changed since the one before. */
  settle(nowMs: number): readonly Episode[] {
    for (const [key, episode] of this.#byKey) {
      if (episode.endMs === null && episode.calmSinceMs !== null && nowMs - episode.calmSinceMs >= this.#hold.clearMs) {
        episode.endMs = episode.lastBadMs;
        this.#changed.add(key);
      }
      if (standsUntold(episode, nowMs)) {
        episode.stoodMs = nowMs;
        this.#changed.add(key);
      }
      if (isDue(episode, nowMs)) this.#changed.add(key);
      if (episode.endMs !== null && nowMs - episode.endMs > this.#hold.foldMs + this.#hold.clearMs && !this.#changed.has(key))
        this.#byKey.delete(key);
      if (episode.endMs === null && episode.calmSinceMs === null && nowMs - episode.lastBadMs > FORGET_MS) {
        Object.assign(episode, { endMs: episode.lastBadMs, isUnheard: true });
        this.#changed.add(key);
      }
    }
    const told = [...this.#changed].flatMap((key) => this.#byKey.get(key) ?? []);
    for (const episode of told) Object.assign(episode, { toldTimes: episode.times, toldPeak: episode.peak, toldMs: nowMs });
    this.#changed = new Set();
    this.#seen = new Set();
    return told;
  }

  /** JSON-safe; empty at rest. */
  store(): readonly Episode[] {
    return [...this.#byKey.values()].map((episode) => ({ ...episode }));
  }
}

function opened(sighting: Sighting, nowMs: number): Episode {
  return {
    ...sighting,
    numbers: sighting.numbers ?? {},
    words: sighting.words ?? {},
    onsetMs: Math.min(sighting.onsetMs, nowMs),
    detectedMs: nowMs,
    lastBadMs: nowMs,
    calmSinceMs: null,
    endMs: null,
    isUnheard: false,
    times: 1,
    peak: sighting.value,
    toldTimes: 1,
    toldPeak: sighting.value,
    toldMs: nowMs,
  };
}

/** Of two values the one further from the baseline. */
function further(a: number | null, b: number | null, baseline: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  const from = baseline ?? 0;
  return Math.abs(b - from) > Math.abs(a - from) ? b : a;
}

function hasDoubled({ peak, toldPeak, baseline }: Episode): boolean {
  if (peak === null || toldPeak === null) return peak !== toldPeak;
  const from = baseline ?? 0;
  return Math.abs(peak - from) >= 2 * Math.abs(toldPeak - from) && Math.abs(peak - toldPeak) > 0;
}

/** A growth of less than a doubling that seems to be over, and that nobody has been told of. */
function standsUntold({ peak, toldPeak, toldMs, lastBadMs, stoodMs = Number.NEGATIVE_INFINITY }: Episode, nowMs: number): boolean {
  return peak !== toldPeak && nowMs - Math.max(toldMs, lastBadMs) >= STANDS_MS && nowMs - stoodMs >= RETELL_MS;
}

/** Less than a doubling, that it is time to tell. */
function isDue({ times, toldTimes, peak, toldPeak, toldMs }: Episode, nowMs: number): boolean {
  return nowMs - toldMs >= RETELL_MS && (times !== toldTimes || peak !== toldPeak);
}

function isStored(stored: unknown): stored is readonly Episode[] {
  return (
    Array.isArray(stored) && stored.every((episode) => typeof episode === "object" && episode !== null && typeof episode.key === "string")
  );
}

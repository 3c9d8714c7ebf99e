import type { Attempt } from "../run.ts";

/**
 * Telling attempts and writers apart when the source does not name them (product.md "Boundaries").
 * Pure and incremental; the state is JSON. Used by offline `inspect` and by `ingest.push` alike.
 */
export interface LineagePoint {
  /** Key of the series within the run: metric and labels. */
  readonly series: string;
  /** Any finite number; the caller has refused what is no step. */
  readonly step: number;
  readonly timeMs: number | null;
  readonly value: number;
}

export interface Placement {
  /** Attempt name, `a1`, `a2`, … or what the source calls it. */
  readonly attempt: string;
  /** Second and further writers of one attempt, `2`, `3`, …; null for the first. */
  readonly writer: string | null;
  /** `far-step`: a lone far jump, kept but left out of watermarks. */
  readonly flag: "far-step" | null;
}

export interface PlacedPoint<P extends LineagePoint = LineagePoint> {
  readonly point: P;
  readonly placement: Placement;
}

/**
 * What was placed earlier as (`series`, `attempt`, `writer`) belongs elsewhere: a provisional attempt turned out to be a second
 * writer or a few stray points. All points of that series placed so move; none stay behind. Or, with `reflag`, a jump turned out to be
 * real after all, or no jump of this run.
 */
export interface LineageCorrection {
  readonly series: string;
  readonly attempt: string;
  readonly writer: string | null;
  readonly becomes: { readonly attempt: string; readonly writer: string | null };
  /** Only the points of these steps (ends included) that do not have this flag are meant, and it becomes theirs. */
  readonly reflag?: { readonly fromStep: number; readonly toStep: number; readonly flag: Placement["flag"] };
}

/** Points of one series as columns, in the order of arrival. */
export interface PlainSeries {
  readonly series: string;
  readonly step: ArrayLike<number>;
  readonly value: ArrayLike<number>;
}

export interface NamedAttemptOptions {
  /** Attempt it continues; the one that was current before when absent. Ignored for an attempt that exists already. */
  readonly parent?: string | null;
  /** Last step of the parent it builds on; taken from its first step when absent. */
  readonly branchStep?: number | null;
}

export interface Lineage<P extends LineagePoint = LineagePoint> {
  /** The source names the attempt of what follows; null goes back to telling them apart by markers and steps. */
  named(attempt: string | null, options?: NamedAttemptOptions): void;
  /** A launch begins: the next point at or below the step reached begins a new attempt. Harmless where none follows. */
  marker(reason: string): void;
  /** Takes a point; returns what has been decided since, in arrival order. A few undecided points a series are held. */
  place(point: P): readonly PlacedPoint<P>[];
  /**
   * Takes whole series that only go on, as `place` would point by point in any order, and says where each belongs: most pushes are this.
   * Null where one of their points needs more than that; then none has been taken, and `place` is to be called. So it is for series that have
   * fallen back as others have, until that is decided; these belong where they are guessed to, as after `settle`.
   */
  goOn(series: readonly PlainSeries[]): readonly Placement[] | null;
  /**
   * Takes whole series of which the caller knows that they came late: they belong to `attempt`, and end below where it has come. False where
   * that cannot be (no such attempt, several writers, steps above the end or known ones); then nothing has been taken.
   */
  late(attempt: string, series: readonly PlainSeries[]): boolean;
  /** End of a push or a file: places all that is held by the best guess. A later correction may move them. */
  settle(): readonly PlacedPoint<P>[];
  /**
   * Corrections since the last call, in order. They concern points returned by calls before the one just made, never those it
   * returned, so take them after each call; `placeBatch` does that for a whole push.
   */
  takeCorrections(): readonly LineageCorrection[];
  /** In order of launch; a provisional one is last. */
  attempts(): readonly Attempt[];
  /** JSON-safe. Throws unless `settle` has just been called: held points are not part of the state. */
  state(): LineageState;
}

/** A remembered point, newest last; the value as JSON can carry it. */
export type RememberedPoint = readonly [step: number, value: number | "NaN" | "Infinity" | "-Infinity" | null];

export interface TrackState {
  readonly writer: string | null;
  readonly last: number;
  readonly recent: readonly RememberedPoint[];
  /** `first` is absent from states of before it was kept. */
  readonly ahead: { readonly first?: number; readonly last: number; readonly count: number; readonly mainSince: number } | null;
  /** Absent where nothing is in doubt. */
  readonly jump?: JumpState;
}

/** A far jump that is still in doubt: its first step, points beyond it, and what was before; null where nothing was. */
export interface JumpState {
  readonly first: number;
  readonly count: number;
  readonly before: { readonly last: number; readonly recent: readonly RememberedPoint[]; readonly jump?: JumpState } | null;
}

export interface StrandState {
  readonly series: string;
  /** Place of its series among those that are undecided, in the order in which they became so. Absent from states of before it was kept. */
  readonly place?: number;
  readonly kind: "fallen" | "twin" | "follower";
  readonly first: number;
  readonly sharesFirst: boolean;
  readonly last: number;
  readonly recent: readonly RememberedPoint[];
  readonly count: number;
  readonly repeats: number;
  readonly run: number;
  readonly turns: number;
  readonly moves: number;
  readonly stale: number;
  readonly given: { readonly attempt: string; readonly writer: string | null } | null;
}

/** Of which series a state tells. That it holds all that is undecided does not make it one of `all`: where an attempt branched off the others say too. */
export type HeldSeries = "all" | "some";

/** What undecided sequences of all series say together, for a state that is of some series only. */
export interface UndecidedState {
  readonly strands: number;
  /** How many of them have fallen back. */
  readonly fallen: number;
  /** Above the places of all their series. */
  readonly nextPlace: number;
  /** Steps of guessed sequences by the attempt they are taken to be of. */
  readonly reach: readonly GuessedReach[];
  /** Of what has fallen, the sequence that the guessed attempt goes by; null where none is guessed. */
  readonly longest: LongestFallen | null;
}

export interface GuessedReach {
  readonly attempt: string;
  readonly first: number;
  readonly last: number;
}

/** A fallen sequence, and what all series of the old attempt say about where it branched off. */
export interface LongestFallen {
  readonly series: string;
  readonly place: number;
  readonly first: number;
  readonly count: number;
  /** Its usual gap. */
  readonly gap: number | null;
  /** Newest step remembered of the old attempt below `first`. */
  readonly remembered: number | null;
  /** The smallest usual gap of the old attempt. */
  readonly usualGap: number | null;
}

/** All that {@link Lineage} knows between pushes. Opaque to callers; `version` guards against a state of another shape. */
export interface LineageState {
  readonly version: 1;
  readonly attempts: readonly (Attempt & { readonly named: boolean; readonly branchGiven: boolean })[];
  /** Numbers used up for attempt names. */
  readonly numbered: number;
  readonly current: string | null;
  readonly previous: string | null;
  readonly naming: boolean;
  readonly wanted: { readonly name: string; readonly options: NamedAttemptOptions } | null;
  /** A launch that may begin: `reached` is the last step before it. */
  readonly marker: { readonly reason: string; readonly reached: number; readonly goneOn: number } | null;
  readonly tracks: readonly {
    readonly attempt: string;
    readonly series: readonly {
      readonly series: string;
      readonly tracks: readonly TrackState[];
      readonly manyAt: number | "always" | null;
      readonly ghostPoints: number;
    }[];
  }[];
  readonly strands: readonly StrandState[];
  /** Absent where nothing is undecided. */
  readonly undecided?: UndecidedState;
  readonly provisional: string | null;
  readonly idle: number;
}

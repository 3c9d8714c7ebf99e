import type { Entity, RawLabels, SeriesIdentity } from "@trainwatch/core";

/** Readings are kept by windows of this length of wall time: one partition of the tail, one packed block a section and window. */
export const WINDOW_MS = 20 * 60_000;
/** Series a group at most: a row of the tail holds one reading of each. */
export const GROUP_SLOTS = 512;
/** Series a section: neighbouring slots that are packed into one block. */
export const SECTION_SLOTS = 8;

export function windowOf(timeMs: number): number {
  return Math.floor(timeMs / WINDOW_MS);
}

/** Where the readings of a series lie. A group holds the series of one target, in the order in which they came. */
export interface SeriesPlace {
  readonly groupId: number;
  /** 0 to `GROUP_SLOTS` − 1. */
  readonly slot: number;
}

/** Readings of one group at one time. */
export interface TailRow {
  readonly groupId: number;
  /** Epoch milliseconds, UTC. */
  readonly timeMs: number;
  /** Ascending; one a reading. */
  readonly slots: Uint16Array;
  /** Little-endian doubles, 8 bytes a reading, bits as sent. */
  readonly values: Uint8Array;
}

export interface WriteOutcome {
  readonly accepted: number;
  /** Stored before, with the same bits (any NaN that is not the stale marker equals any other). */
  readonly repeated: number;
  /** Stored before with another value: the first stays (I1). */
  readonly conflicts: readonly { readonly row: number; readonly slot: number }[];
}

/** The durable side of fleet ingest. Acknowledged means committed with fsync. */
export interface FleetWriter {
  /** Places of the identities, in their order; those that are new are made, series of one target next to each other by metric. */
  places(identities: readonly SeriesIdentity[], seenAtMs: number): Promise<readonly SeriesPlace[]>;
  /**
   * Stores rows; many callers share one commit. Times may come in any order, also into windows that are packed already.
   * @throws AppError `unavailable` where the database is away: nothing of these rows is acknowledged, and sending them again is harmless
   */
  write(rows: readonly TailRow[]): Promise<WriteOutcome>;
}

export interface FleetSeriesInfo {
  readonly place: SeriesPlace;
  readonly metric: string;
  readonly sourceName: string;
  readonly entity: Entity | null;
  readonly labels: RawLabels;
}

/** Readings at one time; columns of one length, a row a place asked for. */
export interface FleetReadings {
  /** NaN where there is none; whether NaN was sent is told by `has`. */
  readonly values: Float64Array;
  /** Epoch ms of the reading, NaN where there is none. */
  readonly timesMs: Float64Array;
  /** 0 none, 1 a value, 2 the stale marker. */
  readonly has: Uint8Array;
}

/** Buckets of one series; columns of one length. `count` to `lastAtMs` and `increase` speak of readings alone; NaN where there is none. Sentinels and values out of the field's bounds stand apart in `invalid`. */
export interface FleetBuckets {
  readonly count: Float64Array;
  readonly sum: Float64Array;
  readonly min: Float64Array;
  readonly minAtMs: Float64Array;
  readonly max: Float64Array;
  readonly maxAtMs: Float64Array;
  readonly first: Float64Array;
  readonly firstAtMs: Float64Array;
  readonly last: Float64Array;
  readonly lastAtMs: Float64Array;
  readonly nonFinite: Float64Array;
  readonly invalid: Float64Array;
  /** Sum of the increases between neighbouring finite readings, a reset counted from zero: what a counter has counted. */
  readonly increase: Float64Array;
}

export interface FleetReader {
  metrics(): Promise<readonly { readonly metric: string; readonly series: number }[]>;
  /** At most `limit` series, ordered by group and slot. */
  series(filter: {
    readonly metric?: string;
    readonly entity?: Entity;
    /** Entities whose id begins so: links of a GPU, ports of a node. */
    readonly entityPrefix?: string;
    readonly limit: number;
  }): Promise<readonly FleetSeriesInfo[]>;
  /** The newest reading of each place at or before `atMs` and not older than `maxAgeMs`. */
  at(places: readonly SeriesPlace[], atMs: number, maxAgeMs: number): Promise<FleetReadings>;
  /**
   * Epoch ms of the newest reading of any series at or before `atMs`; null where there has been none. Once nothing has come for so long that the
   * newest window is packed (40 minutes and more), the beginning of that window: its 20 minutes hold the reading.
   */
  newestAtMs(atMs: number): Promise<number | null>;
  /** `at` at several times (ascending, at most 240): for play. */
  atEach(places: readonly SeriesPlace[], atMs: readonly number[], maxAgeMs: number): Promise<readonly FleetReadings[]>;
  /**
   * Buckets of equal width from `fromMs` to `toMs`, at most 64 places and 2,048 buckets. From 40 minutes a bucket on their edges move to whole
   * windows, as `bucketPlan` cuts them. What a counter gains between two buckets belongs to the later one.
   */
  window(places: readonly SeriesPlace[], fromMs: number, toMs: number, buckets: number): Promise<readonly FleetBuckets[]>;
  /** Every stored reading of a place in [fromMs, toMs), for exact comparison and events; at most `limit`, in time order. */
  readings(
    place: SeriesPlace,
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<{ readonly timesMs: Float64Array; readonly values: Float64Array; readonly stale: Uint8Array }>;
}

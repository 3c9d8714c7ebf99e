import type { Entity, EntityKind } from "../fleet/entity.ts";
import type { FleetField, FleetSignalName } from "../fleet/field.ts";
import type { FLEET_EVENT_KINDS } from "../fleet/fleet-event.ts";
import type { ReadingState } from "../fleet/reading.ts";
import type { JsonNumber } from "../non-finite.ts";
import type { Severity } from "../severity.ts";

/** A node as at a time. */
export interface FleetNodeView {
  /** Machine id, or `name:<host>` as long as none is known. */
  readonly id: string;
  readonly host: string;
  readonly rack: string | null;
  readonly cordoned: { readonly sinceMs: number; readonly why: string } | null;
  readonly lastSampleAtMs: number | null;
}

/**
 * Who is where, as at a time; columns of one length, a row a GPU or MIG instance, ordered by node and index. `digest` names this content:
 * a frame says for which layout its columns are.
 */
export interface FleetLayout {
  readonly atMs: number;
  readonly digest: string;
  readonly nodes: readonly FleetNodeView[];
  readonly models: readonly string[];
  readonly runs: readonly { readonly id: number; readonly name: string }[];
  readonly gpu: {
    readonly id: readonly string[];
    /** Index into `nodes`. */
    readonly node: readonly number[];
    /** As at `atMs`; null where no source says. */
    readonly index: readonly (number | null)[];
    /** Index into `models`, -1 where no source says. */
    readonly model: readonly number[];
    /** Index into `runs`, -1 while it runs nothing that we watch. */
    readonly run: readonly number[];
    readonly rank: readonly (number | null)[];
    /** Pipeline stage. */
    readonly stage: readonly (number | null)[];
  };
}

/** One metric on every GPU at one time. A metric of links is shown by a GPU's worst link, one of a node on each of its GPUs. */
export interface FleetFrame {
  readonly metric: string;
  /** A counter is given as its rate, per second, over the minute before. */
  readonly isRate: boolean;
  readonly atMs: number;
  readonly layoutDigest: string;
  /** In the layout's order; null where `state` says why. */
  readonly values: readonly (number | null)[];
  /** Index into `READING_STATES`, in the layout's order. */
  readonly states: readonly number[];
}

/** The same at several times, for play: `values` and `states` hold a row of the layout's length a time. */
export interface FleetFrames {
  readonly metric: string;
  readonly isRate: boolean;
  readonly atMs: readonly number[];
  /** As at the last of the times. */
  readonly layoutDigest: string;
  readonly values: readonly (readonly (number | null)[])[];
  readonly states: readonly (readonly number[])[];
}

/** A field of the catalogue, and how many series of it there are. */
export type FleetCatalogueEntry = FleetField & { readonly series: number };

export interface FleetMetricView {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly entity: EntityKind;
  readonly kind: string;
  readonly digits: number;
  readonly domain: readonly [number, number] | null;
  readonly series: number;
}

export interface FleetEventView {
  readonly id: number;
  readonly timeMs: number;
  readonly lastTimeMs: number;
  readonly kind: (typeof FLEET_EVENT_KINDS)[number];
  readonly code: number | null;
  readonly severity: Severity;
  readonly nodeId: string;
  readonly host: string;
  readonly entity: Entity | null;
  readonly text: string;
  /** How many of it within its burst. */
  readonly count: number;
}

/** Some events, newest first, of `total`. */
export interface FleetEventPage {
  readonly items: readonly FleetEventView[];
  readonly total: number;
  /** Pass back as `cursor`; null at the end. */
  readonly next: string | null;
}

/** When events began, by severity: for the slider. Columns of one length, a row a bucket of equal width. */
export interface FleetTimeline {
  readonly fromMs: number;
  readonly toMs: number;
  readonly critical: readonly number[];
  readonly warning: readonly number[];
  readonly info: readonly number[];
}

/** Buckets of one series over wall time; columns of one length. Null where a bucket holds nothing. */
export interface FleetWindowSeries {
  readonly entity: Entity | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly count: readonly number[];
  readonly mean: readonly (number | null)[];
  readonly min: readonly (number | null)[];
  readonly max: readonly (number | null)[];
  /** Epoch ms of the extremes. */
  readonly minAtMs: readonly (number | null)[];
  readonly maxAtMs: readonly (number | null)[];
  /** NaN and infinities that the source has sent. */
  readonly nonFinite: readonly number[];
  /** Sentinels and values out of bounds (E5): counted, never drawn. */
  readonly invalid: readonly number[];
}

export interface FleetWindow {
  readonly metric: string;
  readonly unit: string;
  /** A counter is given as its rate, per second. */
  readonly isRate: boolean;
  /** Start of each bucket, epoch ms; the last ends at `toMs`. */
  readonly startMs: readonly number[];
  readonly toMs: number;
  readonly series: readonly FleetWindowSeries[];
  readonly seriesTotal: number;
}

export interface GpuReading {
  readonly metric: string;
  readonly value: JsonNumber;
  readonly state: ReadingState;
  readonly atMs: number | null;
  /** Robust z against the GPUs of the same model on the fleet; null where they are too few or all alike. */
  readonly peerZ: number | null;
  readonly peers: number;
}

/** A GPU's own page. */
export interface FleetGpuView {
  readonly id: string;
  readonly node: FleetNodeView;
  readonly index: number | null;
  readonly model: string | null;
  readonly readings: readonly GpuReading[];
  /** Newest first: where it sat, under which index and driver, and which run's rank it was. */
  readonly history: readonly { readonly name: string; readonly value: string; readonly fromMs: number; readonly toMs: number | null }[];
  readonly events: readonly FleetEventView[];
  readonly eventsTotal: number;
  readonly neighbours: readonly { readonly id: string; readonly index: number | null }[];
  readonly incidents: readonly { readonly id: number; readonly title: string; readonly severity: Severity; readonly openedAtMs: number }[];
}

/** Links of a node by bandwidth and error rate; a row a link. */
export interface FleetLinksView {
  readonly node: FleetNodeView;
  readonly atMs: number;
  /** What may be said of the node's NVLink as a whole; "unknown" where errors or traffic are not seen (E7). */
  readonly verdict: "ok" | "errors" | "unknown";
  readonly links: readonly {
    readonly id: string;
    readonly gpuId: string;
    readonly port: number;
    /** Bytes per second sent and received; null where no source says, which is not zero. */
    readonly txPerS: number | null;
    readonly rxPerS: number | null;
    /** CRC, replay and recovery errors per second over the window; null where no source says. */
    readonly errorsPerS: number | null;
    readonly state: "up" | "down" | "unknown";
  }[];
}

/** How well a signal is seen on a node. `constant-zero`: there, and always 0 although the node is busy (E7). */
export const COVERAGE_STATES = ["seen", "stale", "sentinel", "constant-zero", "missing"] as const;
export type CoverageState = (typeof COVERAGE_STATES)[number];

export interface FleetCoverage {
  readonly atMs: number;
  readonly nodes: readonly FleetNodeView[];
  readonly signals: readonly {
    readonly name: FleetSignalName;
    readonly title: string;
    /** Which fields bring it, and which faults cannot be seen without it. */
    readonly fields: readonly string[];
    readonly blindTo: string;
    /** Index into `COVERAGE_STATES` a node, in the order of `nodes`. */
    readonly states: readonly number[];
  }[];
}

/** What the chosen GPUs share and the others do not, the least like chance first. */
export interface FleetDiffers {
  readonly atMs: number;
  /** GPUs that were chosen and were on the fleet at that time; `missing` names the others. */
  readonly chosen: number;
  readonly missing: readonly string[];
  /** What they are compared with: so many other GPUs. */
  readonly others: number;
  readonly items: readonly FleetDifference[];
  /** Before `items` was cut. */
  readonly itemTotal: number;
  /** Attributes that no source tells of a chosen GPU or of any other: nothing can be said of them. */
  readonly untold: readonly string[];
}

export interface FleetDifference {
  readonly attribute: string;
  readonly title: string;
  readonly value: string;
  /** What was counted: GPUs of one node are no separate cases of what is true of the node, so that nodes are counted there. */
  readonly counts: "gpu" | "node";
  /** So many of the chosen have the value, of so many whose value is known; and of the others. */
  readonly hits: number;
  readonly of: number;
  readonly otherHits: number;
  readonly otherOf: number;
  /** Share among the chosen less share among the others, with its 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Fisher's exact p, adjusted for all that was looked at (Benjamini & Hochberg). */
  readonly adjusted: number;
  /** Unlikely to be chance: adjusted p of at most 0.05, and at least three of the chosen counted. */
  readonly clear: boolean;
  /** Other attributes that part the fleet in the very same way: which of them it is, cannot be told. */
  readonly sameAs: readonly { readonly title: string; readonly value: string }[];
}

/** Where on the fleet an incident lies: what its findings accuse, without the victims of the clearing up. */
export interface FleetIncidentMark {
  readonly incidentId: number;
  readonly title: string;
  readonly severity: Severity;
  /** GPUs by id; a node as a whole where no GPU is named. */
  readonly gpuIds: readonly string[];
  readonly nodeIds: readonly string[];
}

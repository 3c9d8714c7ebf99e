import type { Finding, FleetEventView } from "@trainwatch/core";
import type { DetectorEntry } from "../contract.ts";

/** A GPU as at a tick, with the node it sits in and what runs on it. */
export interface FleetGpuPlace {
  /** Entity id. */
  readonly id: string;
  readonly nodeId: string;
  readonly host: string;
  readonly index: number | null;
  readonly model: string | null;
  readonly rack: string | null;
  readonly runId: number | null;
  /** `project/name`. */
  readonly run: string | null;
  readonly rank: number | null;
  readonly stage: number | null;
}

/** Who is where. The object stays the same while nothing has changed, so that what is derived from it can be kept by identity. */
export interface FleetTopology {
  readonly gpus: readonly FleetGpuPlace[];
  readonly nodes: readonly { readonly id: string; readonly host: string; readonly cordoned: boolean }[];
}

/**
 * One field on every series that has it, at one tick. Columns of one length; the object `entities` stays the same while the series do, so that a detector can keep its own
 * columns beside it. `values[i]` is the newest reading at or before the tick and not older than 90 s, in the field's unit, raw (a counter's level, not its rate); `timesMs[i]` when it
 * was read; `has[i]`: 0 none, 1 a reading, 2 the series has ended (stale marker), 3 a sentinel or out of the field's bounds (E5).
 */
export interface FleetColumn {
  /** Catalogue name. */
  readonly field: string;
  readonly entities: readonly string[];
  /** Of labels that tell series of one entity apart (such as a window); "" where there are none. */
  readonly labels: readonly string[];
  readonly values: Float64Array;
  readonly timesMs: Float64Array;
  readonly has: Uint8Array;
}

/** The fleet at one time. Ticks come each `FLEET_TICK_MS`, in order; after a pause (a restart) they go on where they ended. */
export interface FleetTick {
  readonly timeMs: number;
  readonly topology: FleetTopology;
  readonly columns: readonly FleetColumn[];
  /** Bursts of events that are new or have grown since the tick before; `count` and `lastTimeMs` of a burst grow, its `id` stays. */
  readonly events: readonly FleetEventView[];
  /** Newest reading of any series of each node, epoch ms; null where none was ever seen. */
  readonly lastSampleAtMs: ReadonlyMap<string, number | null>;
}
export const FLEET_TICK_MS = 10_000;

export interface FleetContext {
  /** Parameters that differ from an entry's defaults, by name. */
  readonly parameters?: Readonly<Record<string, number>>;
}

/** One fleet detector. Deterministic in its ticks; no clock; state is JSON-safe and small (what is at rest is not in it). */
export interface FleetDetectorInstance {
  /** Findings that are new or have changed (upsert by id). Steps are null: time is what they know. */
  tick(tick: FleetTick): readonly Finding[];
  state(): unknown;
  coverage(): { readonly sees: boolean; readonly why: string | null };
}

export interface FleetDetectorEntry extends Omit<DetectorEntry, "create" | "metrics"> {
  /** Catalogue names of the fields it reads; the worker reads nothing else. */
  readonly fields: readonly string[];
  create(context: FleetContext, state?: unknown): FleetDetectorInstance;
}

/** All fleet detectors: what the worker, the back-test and the bench drive. */
export interface FleetWatch {
  tick(tick: FleetTick): readonly Finding[];
  state(): unknown;
  coverage(): readonly { readonly detector: string; readonly sees: boolean; readonly why: string | null }[];
}

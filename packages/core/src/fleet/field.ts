import type { EntityKind } from "./entity.ts";

/**
 * How the values of a field are to be read. The catalogue decides it, never an exporter's TYPE line.
 * - `gauge`: a level now.
 * - `counter`: grows until it is reset; only its rate speaks.
 * - `windowed-count`: events within a window that slides; never to be differenced (E1).
 * - `state`: a code or a set of bits.
 * - `last-event`: the newest event's code, repeated for ever (E1).
 */
export type FieldKind = "gauge" | "counter" | "windowed-count" | "state" | "last-event";

/** One field of a fleet source, as Trainwatch understands it. */
export interface FleetField {
  /** Our name: the newest name of the field at its source. */
  readonly name: string;
  readonly title: string;
  readonly kind: FieldKind;
  /** SI or field-standard unit as written after a number; "" is dimensionless. */
  readonly unit: string;
  /** What one series of it speaks of. */
  readonly entity: EntityKind;
  /** Older and other names of the same quantity in the same unit. */
  readonly aliases: readonly string[];
  /** Readings outside are no readings (E5). Null: no bound on that side. */
  readonly min: number | null;
  readonly max: number | null;
  /** Values that mean "not available", as they read after they have become doubles (E5). */
  readonly sentinels: readonly number[];
  /** What it tells, and which detectors live on it: see `FLEET_SIGNAL_NAMES`. */
  readonly signal: FleetSignalName | null;
  /** Number of digits after the decimal point on pages. */
  readonly digits: number;
  /** Domain of the fleet map's colours: the normal range lies in its dark third. Null: from the data, said so. */
  readonly domain: readonly [number, number] | null;
  /** Where this is documented. */
  readonly source: string;
}

/** What must be seen on a node so that its faults can be seen (E7). */
export const FLEET_SIGNAL_NAMES = [
  "activity",
  "temperature",
  "power",
  "clocks",
  "throttle",
  "memory",
  "ecc",
  "row-remap",
  "xid",
  "nvlink-errors",
  "nvlink-bandwidth",
  "pcie",
  "fabric-ports",
  "fabric-errors",
  "host",
  "kernel-log",
] as const;
export type FleetSignalName = (typeof FLEET_SIGNAL_NAMES)[number];

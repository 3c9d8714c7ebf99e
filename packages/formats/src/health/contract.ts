import type { FleetEvent, ParseIssue } from "@trainwatch/core";

/** An event as a log tells it. `timeMs` is null where the line names no time, or one that cannot be placed (since a boot whose time is not known). */
export interface HealthEvent extends Omit<FleetEvent, "timeMs"> {
  readonly timeMs: number | null;
  /** From 1. */
  readonly line: number;
  /** Of the process that the line is about, where a trainer's log names it. */
  readonly rank: number | null;
  /** Collective that was running, such as `ALLREDUCE`. */
  readonly op: string | null;
}

/** What a line is worth, apart from when it was written. */
export type HealthEventParts = Pick<HealthEvent, "kind" | "code" | "subCode" | "severity" | "entity" | "text"> &
  Partial<Pick<HealthEvent, "count" | "rank" | "op">>;

export function healthEvent(parts: HealthEventParts, timeMs: number | null, line: number): HealthEvent {
  return { ...parts, count: parts.count ?? 1, lastTimeMs: null, rank: parts.rank ?? null, op: parts.op ?? null, timeMs, line };
}

/**
 * A reading in the names and units of the metric catalogue (`packages/core/src/fleet/catalogue`), or in the source's own where it has none.
 * What a source says is not available is absent, never a number.
 */
export interface HealthReading {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Line it stands on; null where the source has none. */
  readonly line: number | null;
  /** Null where the source names no time: the time at which it was read. */
  readonly timeMs: number | null;
}

export interface HealthSink {
  event(event: HealthEvent): void;
  reading(reading: HealthReading): void;
  issue(issue: ParseIssue): void;
}

export interface HealthOptions {
  /** IANA zone for times that name none; UTC where left out. */
  readonly timeZone?: string;
  /** When the machine booted, epoch ms: places times that count from the boot. Without it they are unknown. */
  readonly bootTimeMs?: number;
  /** A time near the end of the log, epoch ms: gives the year to times that name none. Without it they are unknown. */
  readonly referenceTimeMs?: number;
  /** `nodeKey` of the node it is about: begins the ids of its ports and switches. */
  readonly node?: string;
}

/** Bytes in, events and readings out. Never throws on input; what comes out does not depend on the chunking; memory is bounded. */
export interface HealthParser {
  push(chunk: Uint8Array): void;
  end(): void;
}

/** An id of a thing of a node: `<node>/switch/0`, or `switch/0` where the node is not known. */
export function nodeThing(node: string | undefined, thing: string): string {
  return node === undefined ? thing : `${node}/${thing}`;
}

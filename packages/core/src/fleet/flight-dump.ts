/** What one rank's NCCL flight recorder has kept: collectives and sends that it has enqueued of late, and how far each got. */
export interface FlightDump {
  readonly rank: number;
  readonly version: string;
  /** Process groups that the rank belongs to. */
  readonly groups: readonly FlightGroup[];
  /** Oldest first. */
  readonly entries: readonly FlightEntry[];
}

export interface FlightGroup {
  /** Name that is the same on every rank. */
  readonly name: string;
  readonly description: string;
  readonly ranks: readonly number[];
  /** Sequence numbers as the rank's watchdog keeps them; null where the dump does not tell, which is not zero. */
  readonly lastEnqueued: number | null;
  readonly lastCompleted: number | null;
}

export const FLIGHT_STATES = ["scheduled", "started", "completed"] as const;
export type FlightState = (typeof FLIGHT_STATES)[number];

export interface FlightEntry {
  /** Name of the group. */
  readonly group: string;
  /** Counts the collectives of the group; the same on every rank for the same call. */
  readonly seq: number;
  /** Such as `nccl:all_reduce`. */
  readonly name: string;
  readonly state: FlightState;
  readonly isP2p: boolean;
  readonly inputSizes: string;
  readonly outputSizes: string;
  /** Epoch ns does not fit a double exactly: ms. */
  readonly createdMs: number | null;
  readonly timeoutMs: number | null;
}

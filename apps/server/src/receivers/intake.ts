import type { FrameRefusalCode } from "@trainwatch/core";
import type { LabelledReadings } from "./labelled-readings.ts";

/** Where receivers put what they have read. */
export interface Intake {
  /**
   * Stores the readings, each once and durably, and answers what became of them. Sending the same again is harmless.
   * @param sender whoever calls a series by one set of labels at a time
   * @throws AppError `unavailable` where the database is away or does not keep up: nothing is acknowledged, all of it may be sent again
   */
  store(sender: string, readings: LabelledReadings): Promise<IntakeOutcome>;
}

export interface IntakeOutcome {
  readonly accepted: number;
  /** Stored before with the same value. */
  readonly repeated: number;
  /** Listed to some thousands; `refusedTotal` counts all. */
  readonly refused: readonly RefusedReading[];
  readonly refusedTotal: number;
}

export interface RefusedReading {
  /** Index into the readings. */
  readonly reading: number;
  readonly code: FrameRefusalCode;
  /** A sentence. */
  readonly message: string;
}

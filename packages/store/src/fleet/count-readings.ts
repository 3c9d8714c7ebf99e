import type pg from "pg";

export interface ReadingCounts {
  readonly accepted: number;
  readonly repeated: number;
  readonly refused: number;
}

const MINUTE_MS = 60_000;

/** Adds to the row of this minute and writer; a row of its own keeps writers from waiting for each other. */
export async function countReadings(
  pool: pg.Pool,
  writer: string,
  nowMs: number,
  { accepted, repeated, refused }: ReadingCounts,
): Promise<void> {
  await pool.query(
    `INSERT INTO fleet_counter AS counter (minute_ms, writer, accepted, repeated, refused) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (minute_ms, writer) DO UPDATE SET accepted = counter.accepted + excluded.accepted, repeated = counter.repeated + excluded.repeated, refused = counter.refused + excluded.refused`,
    [Math.floor(nowMs / MINUTE_MS) * MINUTE_MS, writer, accepted, repeated, refused],
  );
}

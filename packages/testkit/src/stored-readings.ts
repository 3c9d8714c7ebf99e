import type pg from "pg";

export interface StoredReading {
  /** SHA-256 of the series' identity, hexadecimal. */
  readonly key: string;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly entity: string | null;
  readonly timeMs: number;
  /** Of the double, hexadecimal. */
  readonly bits: string;
  readonly value: number;
}

interface Series {
  readonly group_id: number;
  readonly slot: number;
  readonly key: Buffer;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly entity_id: string | null;
}

/**
 * Every fleet reading that is not packed yet, by metric, entity, labels and time. Decoded here and not by the store, so that the two can be held
 * against each other.
 */
export async function readStoredReadings(pool: pg.Pool): Promise<readonly StoredReading[]> {
  const { rows: series } = await pool.query<Series>("SELECT group_id, slot, key, metric, labels, entity_id FROM samples.fleet_series");
  const { rows: tail } = await pool.query<{ group_id: number; time_ms: number; data: Buffer }>(
    "SELECT group_id, time_ms, data FROM samples.fleet_tail",
  );
  const bySlot = new Map(series.map((each) => [`${each.group_id} ${each.slot}`, each]));
  const readings = tail.flatMap(({ group_id: group, time_ms: timeMs, data }) =>
    readRow(data).map(({ slot, at }): StoredReading => {
      const found = bySlot.get(`${group} ${slot}`);
      if (found === undefined) throw new Error(`slot ${slot} of group ${group} has no series`);
      return {
        key: found.key.toString("hex"),
        metric: found.metric,
        labels: found.labels,
        entity: found.entity_id,
        timeMs,
        bits: data.readBigUInt64LE(at).toString(16).padStart(16, "0"),
        value: data.readDoubleLE(at),
      };
    }),
  );
  const keyed = readings.map(
    (reading) => [JSON.stringify([reading.metric, reading.entity, reading.labels, reading.timeMs]), reading] as const,
  );
  return keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reading]) => reading);
}

/** Number of runs (u16), then of each its first slot and length (u16, u16), then 8 bytes a reading. */
function readRow(data: Buffer): readonly { readonly slot: number; readonly at: number }[] {
  const runs = data.readUInt16LE(0);
  const found: { slot: number; at: number }[] = [];
  let at = 2 + 4 * runs;
  for (let run = 0; run < runs; run++) {
    const first = data.readUInt16LE(2 + 4 * run);
    const length = data.readUInt16LE(4 + 4 * run);
    for (let index = 0; index < length; index++, at += 8) found.push({ slot: first + index, at });
  }
  return found;
}

import type pg from "pg";
import { canonicalJson } from "../../ingest/canonical-json.ts";

/** Series of one line in one attempt from which it has a band: with fewer, reading them one by one is as quick, and the band would be most of what is stored. */
export const WIDE = 64;
/** `through` of a band that holds every series of its line. */
export const WHOLE = 2 ** 31 - 1;

/** What the ranks of one line share. A series without a rank is in no band. */
export interface LineName {
  readonly metric: string;
  /** Labels without `rank`. */
  readonly shared: Readonly<Record<string, string>>;
}

/** A row of `samples.band`. */
export interface Band extends LineName {
  readonly bandId: number;
  readonly attemptId: number;
  /** The band holds the points of the series of its line up to this id. */
  readonly through: number;
}

/** Under which rows of a band are stored: no series has such an id. */
export function bandSeries({ bandId }: Pick<Band, "bandId">): number {
  return -bandId;
}

export function isBandSeries(seriesId: number): boolean {
  return seriesId < 0;
}

export function lineKey({ metric, shared }: LineName): string {
  return `${metric}\n${canonicalJson(shared)}`;
}

export async function readBands(client: pg.ClientBase | pg.Pool, groupId: number): Promise<readonly Band[]> {
  const { rows } = await client.query<Band>(
    'SELECT band_id AS "bandId", attempt_id AS "attemptId", metric, shared, through FROM samples.band WHERE group_id = $1 ORDER BY band_id, attempt_id',
    [groupId],
  );
  return rows;
}

export async function insertBand(client: pg.ClientBase, groupId: number, band: Band): Promise<void> {
  await client.query("INSERT INTO samples.band (group_id, band_id, attempt_id, metric, shared, through) VALUES ($1, $2, $3, $4, $5, $6)", [
    groupId,
    band.bandId,
    band.attemptId,
    band.metric,
    JSON.stringify(band.shared),
    band.through,
  ]);
}

/** Up to which series the band goes from now on; null where its line has none left in the attempt: then there is no band any more. */
export async function setThrough(client: pg.ClientBase, groupId: number, band: Band, through: number | null): Promise<void> {
  const place = [groupId, band.bandId, band.attemptId];
  if (through === null) await client.query("DELETE FROM samples.band WHERE group_id = $1 AND band_id = $2 AND attempt_id = $3", place);
  else
    await client.query("UPDATE samples.band SET through = $4 WHERE group_id = $1 AND band_id = $2 AND attempt_id = $3", [
      ...place,
      through,
    ]);
}

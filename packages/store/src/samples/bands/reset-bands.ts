import type pg from "pg";
import type { BlockOwner } from "../block.ts";

/** Empties the bands of places whose stored points have been moved, under the group's lock: a band cannot give back what has joined it. Maintenance makes them anew. */
export async function resetBands(client: pg.ClientBase, groupId: number, places: readonly BlockOwner[]): Promise<void> {
  if (places.length === 0) return;
  await client.query(
    `WITH moved AS (
       SELECT DISTINCT series.metric, series.labels - 'rank' AS shared, place.attempt_id
       FROM unnest($2::int[], $3::int[]) AS place (series_id, attempt_id) JOIN series ON series.id = place.series_id AND series.run_id = $1 AND series.labels ? 'rank'
     ), emptied AS (
       UPDATE samples.band SET through = 0 FROM moved
       WHERE band.group_id = $1 AND band.attempt_id = moved.attempt_id AND band.metric = moved.metric AND band.shared = moved.shared
       RETURNING band.band_id, band.attempt_id
     )
     DELETE FROM samples.block USING emptied WHERE block.group_id = $1 AND block.series_id = -emptied.band_id AND block.attempt_id = emptied.attempt_id`,
    [groupId, places.map(({ seriesId }) => seriesId), places.map(({ attemptId }) => attemptId)],
  );
}

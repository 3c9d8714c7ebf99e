import type pg from "pg";
import { type OverlapHead, type Reach, mayOverlap, narrowed, reachOf, readOverlapping } from "./overlap.ts";
import { type Points, decodePoints } from "./points.ts";

/** Points of a series about which it is asked whether they are stored. */
export interface AskedPoints extends Pick<Points, "step" | "timeMs"> {
  readonly seriesId: number;
}

/** Stored points, and the attempt that has them. */
export interface StoredPart extends Points {
  readonly attemptId: number;
}

/**
 * Points stored on the steps of some others, by whichever attempt and writer: at least those, perhaps some beside them. By the id asked
 * for; none for a series that has nothing there. To be read under the group's lock.
 */
export async function readStored(
  client: pg.ClientBase,
  groupId: number,
  asked: readonly AskedPoints[],
): Promise<ReadonlyMap<number, readonly StoredPart[]>> {
  const found = new Map<number, StoredPart[]>();
  const reaches = asked.filter((each) => each.step.length > 0).map((each) => ({ asked: each.seriesId, reach: reachOf(each) }));
  if (reaches.length === 0) return found;
  const { rows } = await client.query<OverlapHead & { asked: number; seriesId: number; attemptId: number }>(
    `SELECT base.id AS asked, own.id AS "seriesId", head.attempt_id AS "attemptId", head.points, head.far_points AS "farPoints", head.first_step AS "firstStep", head.last_step AS "lastStep"
     FROM series AS base
       JOIN series AS own ON own.run_id = base.run_id AND own.metric = base.metric AND split_part(own.labels_key, E'\\n', 1) = base.labels_key
       JOIN samples.head ON head.group_id = $1 AND head.series_id = own.id
     WHERE base.run_id = $1 AND base.id = ANY($2)`,
    [groupId, reaches.map((each) => each.asked)],
  );
  const overlapping = rows.flatMap((head) => {
    const wanted = reaches.filter((each) => each.asked === head.asked && mayOverlap(each.reach, head));
    return wanted.map(({ reach }): Reach & typeof head => ({ ...head, ...narrowed(reach, head) }));
  });
  const askedFor = new Map(rows.map((row) => [row.seriesId, row.asked]));
  for (const block of await readOverlapping(client, groupId, overlapping)) {
    const id = askedFor.get(block.seriesId) ?? block.seriesId;
    found.set(id, [...(found.get(id) ?? []), { ...decodePoints(block.data), attemptId: block.attemptId }]);
  }
  return found;
}

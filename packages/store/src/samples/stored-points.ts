import type pg from "pg";
import { numberArray } from "../pool/index.ts";
import type { HeadBook } from "./head-book.ts";
import { type Reach, mayOverlap, narrowed, reachOf, readOverlapping } from "./overlap.ts";
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
  heads: HeadBook,
): Promise<ReadonlyMap<number, readonly StoredPart[]>> {
  const found = new Map<number, StoredPart[]>();
  const reaches = asked.filter((each) => each.step.length > 0).map((each) => ({ asked: each.seriesId, reach: reachOf(each) }));
  if (reaches.length === 0) return found;
  const askedFor = await withWriters(
    client,
    groupId,
    reaches.map((each) => each.asked),
  );
  const rows = await heads.of([...askedFor.keys()], "all");
  const reachesOf = new Map<number, Reach[]>();
  for (const { asked: id, reach } of reaches) reachesOf.set(id, [...(reachesOf.get(id) ?? []), reach]);
  const overlapping = rows.flatMap((head) => {
    const wanted = (reachesOf.get(askedFor.get(head.seriesId) ?? head.seriesId) ?? []).filter((reach) => mayOverlap(reach, head));
    return wanted.map((reach): Reach & typeof head => ({ ...head, ...narrowed(reach, head) }));
  });
  for (const block of await readOverlapping(client, groupId, overlapping)) {
    const id = askedFor.get(block.seriesId) ?? block.seriesId;
    found.set(id, [...(found.get(id) ?? []), { ...decodePoints(block.data), attemptId: block.attemptId }]);
  }
  return found;
}

/** The series asked for, and those that second writers have of them, each with the one asked for. */
async function withWriters(client: pg.ClientBase, runId: number, asked: readonly number[]): Promise<ReadonlyMap<number, number>> {
  // Index: series_writer_idx. Apart from the rest, or the planner goes through all series of a metric for each that is asked for.
  const { rows } = await client.query<{ asked: number; id: number }>(
    `WITH writer AS MATERIALIZED (
       SELECT id, metric, split_part(labels_key, E'\\n', 1) AS base_key FROM series WHERE run_id = $1 AND position(E'\\n' IN labels_key) > 0
     )
     SELECT base.id AS asked, writer.id FROM writer JOIN series AS base ON base.run_id = $1 AND base.metric = writer.metric AND base.labels_key = writer.base_key
     WHERE base.id = ANY($2::int[])`,
    [runId, numberArray(asked)],
  );
  return new Map([...asked.map((id) => [id, id] as const), ...rows.map((row) => [row.id, row.asked] as const)]);
}

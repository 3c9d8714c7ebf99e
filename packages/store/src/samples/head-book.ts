import type pg from "pg";
import { numberArray } from "../pool/index.ts";
import type { BlockOwner } from "./block.ts";
import type { OverlapHead } from "./overlap.ts";

export interface KnownHead extends OverlapHead, BlockOwner {}

/** Heads as one transaction sees them under the group's lock, until it moves points itself. */
export interface HeadBook {
  /** Of these series: those of some attempts, and perhaps others, or of all. */
  of(seriesIds: readonly number[], attemptIds: readonly number[] | "all"): Promise<readonly KnownHead[]>;
  /** Points have been moved: what was read holds no longer. */
  forget(): void;
}

/** A push asks twice for the heads of its series, first to tell repeats of any attempt and then of its own: they are read once. */
export function headBook(client: pg.ClientBase, groupId: number): HeadBook {
  const known = new Map<number, KnownHead[]>();
  return {
    async of(seriesIds, attemptIds) {
      const wanted = new Set(seriesIds);
      const unknown = [...wanted].filter((id) => !known.has(id));
      const rows = unknown.length === 0 ? [] : await readHeads(client, groupId, unknown, attemptIds);
      const found = [...wanted].flatMap((id) => known.get(id) ?? []);
      if (attemptIds === "all") {
        for (const id of unknown) known.set(id, []);
        for (const head of rows) known.get(head.seriesId)?.push(head);
      }
      return [...found, ...rows];
    },
    forget: () => known.clear(),
  };
}

/**
 * Series by series: of a table that has just grown the planner knows nothing, or what it was, and then it looks at all heads of the run. OFFSET 0
 * keeps it from a join of its own. Index: the primary key.
 */
async function readHeads(
  client: pg.ClientBase,
  groupId: number,
  seriesIds: readonly number[],
  attemptIds: readonly number[] | "all",
): Promise<readonly KnownHead[]> {
  const { rows } = await client.query<KnownHead>(
    `SELECT known.* FROM unnest($2::int[]) AS wanted (series_id) CROSS JOIN LATERAL (
       SELECT series_id AS "seriesId", attempt_id AS "attemptId", points, far_points AS "farPoints", first_step AS "firstStep", last_step AS "lastStep"
       FROM samples.head WHERE group_id = $1 AND head.series_id = wanted.series_id${attemptIds === "all" ? "" : " AND attempt_id = ANY($3::int[])"} OFFSET 0
     ) AS known`,
    [groupId, numberArray(seriesIds), ...(attemptIds === "all" ? [] : [numberArray(attemptIds)])],
  );
  return rows;
}

import type { Db } from "./db.ts";

/** First keys of the advisory locks of the fleet's records; the samples have theirs in store/src/fleet/locks.ts. */
const RECORDS = 7_311;
const NODE_EVENTS = 7_312;

/** One at a time makes, names or unites nodes and tells what is true of them: it is rare, and two that make the same would collide. */
export async function lockRecords(db: Db): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(${RECORDS}::int, 0)::text`;
}

/** One at a time folds events of a node. In ascending order, so that nobody waits in a circle. */
export async function lockNodeEvents(db: Db, nodeIds: readonly number[]): Promise<void> {
  for (const id of [...new Set(nodeIds)].sort((a, b) => a - b))
    await db.$queryRaw`SELECT pg_advisory_xact_lock(${NODE_EVENTS}::int, ${id}::int)::text`;
}

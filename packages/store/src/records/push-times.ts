import type { Db } from "./db.ts";

/** When the newest pushes of a run came, epoch ms, oldest first. Rows are kept for as long as a push may be repeated; older ones are gone. Index: (run_id, received_at_ms) of `ingest_batch`. */
export async function readPushTimes(db: Db, runId: number, limit: number): Promise<readonly number[]> {
  const rows = await db.ingestBatch.findMany({
    where: { runId },
    orderBy: { receivedAtMs: "desc" },
    take: limit,
    select: { receivedAtMs: true },
  });
  return rows.map(({ receivedAtMs }) => receivedAtMs).reverse();
}

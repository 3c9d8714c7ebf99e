import type pg from "pg";
import { inTransaction } from "./pool/index.ts";
import { removeSamples } from "./samples/remove.ts";

/** Deletes a run with all that hangs on it, samples included. False where there is none. */
export function deleteRun(pool: pg.Pool, runId: number): Promise<boolean> {
  return inTransaction(pool, "write", async (client) => {
    // The samples first: their lock keeps pushes out, in the order in which pushes take theirs.
    await removeSamples((sql, values) => client.query(sql, [...values]), runId);
    return (await client.query("DELETE FROM run WHERE id = $1", [runId])).rowCount === 1;
  });
}

import type pg from "pg";
import { inTransaction } from "../pool/index.ts";
import { ensurePartitions } from "./block-partitions.ts";
import { insertBlocks } from "./block-table.ts";
import { writeCells } from "./cell-table.ts";
import { WINDOW_MS } from "./contract.ts";
import { isLockTimeout } from "./pack-lock.ts";
import { packGroup, type PackFault } from "./pack-group.ts";
import type { Pace } from "./pack-pace.ts";
import { tailPartition } from "./write/open-windows.ts";

/** Groups a transaction: some 30,000 readings each, which a machine packs in some milliseconds. */
const GROUPS_AT_ONCE = 16;
/** Whoever writes or reads while we wait for a lock waits behind us: we give up soon and come again. */
const LOCK_TIMEOUT_MS = 100;

/** Makes a window take no more rows. False: somebody is still writing to it. */
export async function closeWindow(pool: pg.Pool, windowNo: number): Promise<boolean> {
  await inTransaction(pool, "write", (client) => ensurePartitions(client, windowNo));
  return unlessLocked(pool, async (client) => {
    // Writers share-lock the row of a window that they find open until they have committed.
    await client.query("UPDATE samples.fleet_window SET state = 'closed' WHERE window_no = $1 AND state = 'open'", [windowNo]);
  });
}

export interface PackedGroups {
  /** The last group that was looked at; null where there was none left. */
  readonly last: number | null;
  /** Groups that were passed over. */
  readonly faults: readonly PackFault[];
}

/**
 * Packs the next groups of a closed window. Its tail does not change any more, so that what was packed before a crash is packed again to the
 * same, and stays. A group that cannot be packed keeps no other one from it.
 */
export async function packGroups(pool: pg.Pool, windowNo: number, afterGroup: number, pace: Pace): Promise<PackedGroups> {
  return inTransaction(pool, "write", async (client) => {
    const groups = await nextGroups(client, windowNo, afterGroup);
    const { rowCount } = await client.query("SELECT FROM samples.fleet_window WHERE window_no = $1 AND state = 'closed' FOR SHARE", [
      windowNo,
    ]);
    // Somebody else has finished it meanwhile.
    if (rowCount === 0) return { last: null, faults: [] };
    const faults: PackFault[] = [];
    for (const groupId of groups) {
      const packed = await packGroup(client, groupId, windowNo, pace);
      if ("why" in packed) {
        faults.push(packed);
        continue;
      }
      await insertBlocks(client, packed.blocks);
      await writeCells(client, packed.cells, { replace: false });
    }
    return { last: groups.at(-1) ?? null, faults };
  });
}

/** In the order of the primary key, of which `LIMIT` reads no more than it needs. */
async function nextGroups(client: pg.ClientBase, windowNo: number, after: number): Promise<readonly number[]> {
  const { rows } = await client.query<{ groupId: number }>(
    `SELECT DISTINCT group_id AS "groupId" FROM samples.fleet_tail WHERE group_id > $1 AND time_ms >= $2 AND time_ms < $3 ORDER BY group_id LIMIT $4`,
    [after, windowNo * WINDOW_MS, (windowNo + 1) * WINDOW_MS, GROUPS_AT_ONCE],
  );
  return rows.map(({ groupId }) => groupId);
}

/**
 * Drops the tail of a window all groups of which are packed. One with damaged rows is taken out of the fleet's tail instead and stands as a
 * table of its own: nobody reads it, and what it holds is not lost. False: the tail is in use, which another time it will not be.
 */
export function finishWindow(pool: pg.Pool, windowNo: number, isDamaged: boolean): Promise<boolean> {
  return unlessLocked(pool, async (client) => {
    const { rowCount } = await client.query("UPDATE samples.fleet_window SET state = 'packed' WHERE window_no = $1 AND state = 'closed'", [
      windowNo,
    ]);
    if (rowCount !== 1) return;
    const tail = tailPartition(windowNo);
    if (!isDamaged) await client.query(`DROP TABLE IF EXISTS ${tail}`);
    else
      await client.query(`ALTER TABLE samples.fleet_tail DETACH PARTITION ${tail}; ALTER TABLE ${tail} RENAME TO ${damagedTail(windowNo)}`);
  });
}

/** Without its schema, `samples`. The window's own name stays free for whoever opens it anew. */
export function damagedTail(windowNo: number): string {
  return `fleet_damaged_${windowNo < 0 ? `m${-windowNo}` : windowNo}`;
}

/** False where a lock could not be had within `LOCK_TIMEOUT_MS`; nothing has been done then. */
export async function unlessLocked(pool: pg.Pool, act: (client: pg.PoolClient) => Promise<void>): Promise<boolean> {
  try {
    await inTransaction(pool, "write", async (client) => {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await act(client);
    });
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

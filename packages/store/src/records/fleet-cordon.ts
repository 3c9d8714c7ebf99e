import { hostName } from "@trainwatch/core";
import type { Db } from "./db.ts";

export interface FleetCordonRecords {
  /** Row id of the node with this id (machine id, or `name:<host>`); null where there is none. */
  nodeRow(id: string): Promise<number | null>;
  /** Marks a node as one that nobody should use. False where it is marked already. */
  cordon(row: number, reason: string, nowMs: number): Promise<boolean>;
  /** False where it is not marked. */
  uncordon(row: number): Promise<boolean>;
}

export function createFleetCordonRecords(db: Db): FleetCordonRecords {
  return {
    async nodeRow(id) {
      const rows = await db.$queryRaw<{ id: number }[]>`
        SELECT id FROM fleet_node WHERE machine_id = ${id} OR (machine_id IS NULL AND 'name:' || host = ${id}) ORDER BY last_seen_ms DESC LIMIT 1`;
      const alias = /^name:(.+)$/.exec(id)?.[1];
      if (rows[0] !== undefined || alias === undefined) return rows[0]?.id ?? null;
      // A link that was shared before the machine id was known, or before hosts were lowered, still leads to the node.
      const named = await db.$queryRaw<{ id: number }[]>`
        SELECT n.id FROM fleet_attribute a JOIN fleet_node n ON a.key = 'node:' || n.id
        WHERE a.kind = 'node' AND a.name = 'host' AND a.value IN (${alias}, ${hostName(alias)}) ORDER BY a.from_ms DESC LIMIT 1`;
      return named[0]?.id ?? null;
    },
    async cordon(row, reason, nowMs) {
      const data = { cordonedAtMs: nowMs, cordonReason: reason };
      return (await db.fleetNode.updateMany({ where: { id: row, cordonedAtMs: null }, data })).count === 1;
    },
    async uncordon(row) {
      const data = { cordonedAtMs: null, cordonReason: null };
      return (await db.fleetNode.updateMany({ where: { id: row, cordonedAtMs: { not: null } }, data })).count === 1;
    },
  };
}

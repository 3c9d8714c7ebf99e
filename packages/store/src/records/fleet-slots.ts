import { gpuOf } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { jsonText } from "./json.ts";
import type { KnownEntity } from "./fleet-entities.ts";

/** A GPU, or a MIG instance of one, that has an index on a node. */
export interface SeenSlot {
  readonly key: string;
  readonly nodeId: number;
  readonly index: string;
}

/** Another GPU sits where one sat before (E4). */
export interface Replacement {
  readonly nodeId: number;
  readonly index: string;
  readonly gone: string;
  readonly came: string;
}

interface Holder {
  readonly attributeId: number;
  readonly key: string;
  readonly nodeId: number;
  readonly index: string;
}

/**
 * One GPU an index and node. Who held an index that another GPU was seen under later holds it no more; a GPU that was not on the node before has
 * replaced it. GPUs of one node that change places after a reboot replace nobody: their history follows the UUID (E4).
 */
export async function yieldSlots(
  db: Db,
  seen: readonly SeenSlot[],
  before: ReadonlyMap<string, KnownEntity>,
  seenAtMs: number,
): Promise<readonly Replacement[]> {
  if (seen.length === 0) return [];
  const holders = await db.$queryRaw<Holder[]>`
    SELECT a.id AS "attributeId", e.key, e.node_id AS "nodeId", a.value AS index
    FROM jsonb_to_recordset(${jsonText(seen)}::jsonb) AS s (key text, "nodeId" int, index text)
    JOIN fleet_entity e ON e.node_id = s."nodeId" AND e.kind = 'gpu'
    JOIN fleet_attribute a ON a.kind = 'gpu' AND a.key = e.key AND a.name = 'index' AND a.value = s.index
    WHERE a.to_ms IS NULL AND a.from_ms < ${seenAtMs} AND split_part(e.key, '/', 1) <> split_part(s.key, '/', 1)`;
  if (holders.length === 0) return [];
  const stay = new Set(seen.map(({ key, nodeId, index }) => `${nodeId} ${index} ${gpuOf(key)}`));
  const leaving = holders.filter(({ key, nodeId, index }) => !stay.has(`${nodeId} ${index} ${gpuOf(key)}`));
  await db.$executeRaw`UPDATE fleet_attribute SET to_ms = ${seenAtMs} WHERE id = ANY(${leaving.map(({ attributeId }) => attributeId)}::int[])`;
  const replacements = new Map<string, Replacement>();
  for (const { key, nodeId, index } of leaving) {
    const came = seen.find((slot) => slot.nodeId === nodeId && slot.index === index);
    if (came === undefined || before.get(came.key)?.nodeId === nodeId) continue;
    replacements.set(`${nodeId} ${index}`, { nodeId, index, gone: gpuOf(key), came: gpuOf(came.key) });
  }
  return [...replacements.values()];
}

import { gpuOf, type Entity } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { jsonText } from "./json.ts";

/** An entity and the node it was seen on; null where its source names none. */
export interface SeenEntity extends Entity {
  readonly nodeId: number | null;
}

/** Where an entity was before this sighting. */
export interface KnownEntity {
  readonly key: string;
  readonly nodeId: number | null;
}

/** Makes rows of entities or moves them to where they were seen last; answers what was known of the GPUs among them. */
export async function writeEntities(db: Db, seen: readonly SeenEntity[], seenAtMs: number): Promise<ReadonlyMap<string, KnownEntity>> {
  const unique = new Map<string, SeenEntity>();
  for (const entity of seen) {
    if (entity.kind === "node") continue;
    unique.set(`${entity.kind} ${entity.id}`, entity);
    // A link's GPU is there too, even if its source tells nothing but links.
    const gpu = gpuOf(entity.id);
    if (entity.kind === "link" && !unique.has(`gpu ${gpu}`)) unique.set(`gpu ${gpu}`, { kind: "gpu", id: gpu, nodeId: entity.nodeId });
  }
  if (unique.size === 0) return new Map();
  const rows = jsonText([...unique.values()].map(({ kind, id, nodeId }) => ({ kind, key: id, node: nodeId })));
  const known = await db.$queryRaw<KnownEntity[]>`
    SELECT e.key, e.node_id AS "nodeId" FROM fleet_entity e
    JOIN jsonb_to_recordset(${rows}::jsonb) AS n (kind text, key text) ON e.kind = n.kind AND e.key = n.key WHERE e.kind = 'gpu'`;
  await db.$executeRaw`
    INSERT INTO fleet_entity AS e (kind, key, node_id, first_seen_ms, last_seen_ms)
    SELECT kind, key, node, ${seenAtMs}::float8, ${seenAtMs}::float8 FROM jsonb_to_recordset(${rows}::jsonb) AS n (kind text, key text, node int)
    ON CONFLICT (kind, key) DO UPDATE SET
      node_id = CASE WHEN excluded.last_seen_ms >= e.last_seen_ms THEN coalesce(excluded.node_id, e.node_id) ELSE coalesce(e.node_id, excluded.node_id) END,
      first_seen_ms = least(e.first_seen_ms, excluded.first_seen_ms), last_seen_ms = greatest(e.last_seen_ms, excluded.last_seen_ms)`;
  return new Map(known.map((entity) => [entity.key, entity]));
}

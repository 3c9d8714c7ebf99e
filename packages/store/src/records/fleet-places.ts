import type { Db } from "./db.ts";
import { nodeAttributeKey } from "./fleet-nodes.ts";

/** A node as at a time. */
export interface PlacedNode {
  readonly id: number;
  readonly machineId: string | null;
  readonly host: string;
  readonly rack: string | null;
  readonly cordonedAtMs: number | null;
  readonly cordonReason: string | null;
  /** Every name that it ever had: series that know no machine id go by one of them. */
  readonly aliases: readonly string[];
}

/** A GPU or MIG instance as at a time. */
export interface PlacedGpu {
  readonly id: string;
  readonly nodeId: number;
  /** Null where no source says, or where another GPU has its index by then. */
  readonly index: number | null;
  readonly model: string | null;
  readonly pci: string | null;
}

export interface AttributeRow {
  readonly name: string;
  readonly value: string;
  readonly fromMs: number;
  readonly toMs: number | null;
}

export interface FleetPlaceRecords {
  /** Another text: something about nodes, GPUs, attributes, assignments or cordons may have changed. */
  stamp(): Promise<string>;
  /** Times at which attributes of these names began or ended, or a node was first seen; ascending, each once. */
  changeTimes(names: readonly string[]): Promise<readonly number[]>;
  nodesAt(atMs: number): Promise<readonly PlacedNode[]>;
  /** By node and index. Those that left before or came later are not among them. */
  gpusAt(atMs: number): Promise<readonly PlacedGpu[]>;
  /** Newest first. */
  history(kind: string, keys: readonly string[], limit: number): Promise<readonly AttributeRow[]>;
  /** What attributes of these names said of GPUs at a time; `value` by entity id and name. */
  gpuAttributesAt(
    names: readonly string[],
    atMs: number,
  ): Promise<readonly { readonly key: string; readonly name: string; readonly value: string }[]>;
}

/** Names that a node has had, by its attributes' key, and those that hold at the time. */
interface NodeNames {
  readonly key: string;
  readonly host: string | null;
  readonly rack: string | null;
  readonly aliases: readonly string[];
}

export function createFleetPlaceRecords(db: Db): FleetPlaceRecords {
  return {
    async stamp() {
      const [row] = await db.$queryRaw<{ stamp: string }[]>`
        SELECT concat_ws(' ', (SELECT max(id) FROM fleet_node), (SELECT max(id) FROM fleet_entity), (SELECT max(id) FROM fleet_attribute),
          (SELECT max(id) FROM assignment), (SELECT count(*) || ':' || max(cordoned_at_ms) FROM fleet_node WHERE cordoned_at_ms IS NOT NULL),
          (SELECT count(*) FROM fleet_node), (SELECT max(updated_at_ms) FROM setting WHERE key = 'assignmentRules'), (SELECT count(*) || ':' || max(id) FROM attempt)) AS stamp`;
      return row?.stamp ?? "";
    },
    async changeTimes(names) {
      const rows = await db.$queryRaw<{ ms: number }[]>`
        SELECT from_ms AS ms FROM fleet_attribute WHERE name = ANY(${[...names]}::text[])
        UNION SELECT to_ms FROM fleet_attribute WHERE name = ANY(${[...names]}::text[]) AND to_ms IS NOT NULL
        UNION SELECT first_seen_ms FROM fleet_node ORDER BY ms`;
      return rows.map(({ ms }) => ms);
    },
    async nodesAt(atMs) {
      // Not joined in the database: as long as it has no statistics, as while a large fleet comes in, it would compare every node with every other one's names.
      const rows = await db.$queryRaw<Omit<PlacedNode, "rack" | "aliases">[]>`
        SELECT id, machine_id AS "machineId", cordoned_at_ms AS "cordonedAtMs", cordon_reason AS "cordonReason", host
        FROM fleet_node WHERE first_seen_ms <= ${atMs}::float8`;
      const named = await db.$queryRaw<NodeNames[]>`
        SELECT key, max(value) FILTER (WHERE name = 'host' AND holds) AS host, max(value) FILTER (WHERE name = 'rack' AND holds) AS rack,
          coalesce(array_agg(value) FILTER (WHERE name = 'host'), '{}') AS aliases
        FROM (SELECT key, name, value, from_ms <= ${atMs}::float8 AND (to_ms IS NULL OR to_ms > ${atMs}::float8) AS holds FROM fleet_attribute
          WHERE kind = 'node' AND name IN ('host', 'rack')) a GROUP BY key`;
      const names = new Map(named.map((each) => [each.key, each]));
      return rows
        .map((row): PlacedNode => {
          const known = names.get(nodeAttributeKey(row.id));
          return { ...row, host: known?.host ?? row.host, rack: known?.rack ?? null, aliases: [...(known?.aliases ?? []), row.host] };
        })
        .sort((a, b) => (a.host < b.host ? -1 : a.host > b.host ? 1 : a.id - b.id));
    },
    async gpusAt(atMs) {
      const rows = await db.$queryRaw<(Omit<PlacedGpu, "index"> & { readonly index: string | null; readonly hadIndex: boolean })[]>`
        SELECT a.key AS id, substr(max(value) FILTER (WHERE name = 'node' AND holds), 6)::int AS "nodeId", max(value) FILTER (WHERE name = 'index' AND holds) AS index,
          bool_or(name = 'index') AS "hadIndex", max(value) FILTER (WHERE name = 'model' AND holds) AS model, max(value) FILTER (WHERE name = 'pci' AND holds) AS pci
        FROM (SELECT key, name, value, to_ms IS NULL OR to_ms > ${atMs}::float8 AS holds FROM fleet_attribute
          WHERE kind = 'gpu' AND name IN ('node', 'index', 'model', 'pci') AND from_ms <= ${atMs}::float8) a
        GROUP BY a.key HAVING max(value) FILTER (WHERE name = 'node' AND holds) IS NOT NULL`;
      return rows
        .filter(({ index, hadIndex }) => index !== null || !hadIndex)
        .map(({ id, nodeId, index, model, pci }) => ({
          id,
          nodeId,
          index: index !== null && /^\d{1,9}$/.test(index) ? Number(index) : null,
          model,
          pci,
        }))
        .sort((a, b) => a.nodeId - b.nodeId || (a.index ?? Infinity) - (b.index ?? Infinity) || (a.id < b.id ? -1 : 1));
    },
    async history(kind, keys, limit) {
      return db.$queryRaw<AttributeRow[]>`
        SELECT name, value, from_ms AS "fromMs", to_ms AS "toMs" FROM fleet_attribute
        WHERE kind = ${kind} AND key = ANY(${[...keys]}::text[]) ORDER BY from_ms DESC, id DESC LIMIT ${limit}`;
    },
    async gpuAttributesAt(names, atMs) {
      return db.$queryRaw<{ key: string; name: string; value: string }[]>`
        SELECT key, name, value FROM fleet_attribute WHERE kind = 'gpu' AND name = ANY(${[...names]}::text[])
          AND from_ms <= ${atMs}::float8 AND (to_ms IS NULL OR to_ms > ${atMs}::float8)`;
    },
  };
}

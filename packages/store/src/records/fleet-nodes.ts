import type { NodeName } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { type SeenFact, writeSeenFacts } from "./fleet-facts.ts";
import { jsonText } from "./json.ts";

interface NodeRow {
  readonly id: number;
  readonly machineId: string | null;
  readonly host: string;
  readonly lastSeenMs: number;
}

/** Ids of fleet nodes by the names that were asked for; see `nameKey`. */
export type NodeIds = ReadonlyMap<string, number>;

export function nameKey({ machineId, host }: NodeName): string {
  return JSON.stringify([machineId, host]);
}

/** Key of a node's attributes, and the value of the attribute `node` of what sits on it. */
export function nodeAttributeKey(id: number): string {
  return `node:${id}`;
}

/** Ids of nodes that need nothing but to be found; a name that would make, name or unite a node is missing. */
export async function findNodes(db: Db, names: readonly NodeName[]): Promise<NodeIds> {
  const book = await readBook(db, names);
  return new Map(
    names.flatMap((name) => {
      const found = book.find(name);
      return found === null || (name.machineId !== null && (found.machineId === null || book.unnamed(name, found) !== null))
        ? []
        : [[nameKey(name), found.id] as const];
    }),
  );
}

/**
 * Finds the nodes that sources name, and makes those that nobody has named before. A node first known by its host becomes the machine once
 * something tells the machine id; where both came to be apart, they are made one. The caller holds the lock of the fleet's records.
 */
export async function resolveNodes(db: Db, names: readonly NodeName[], seenAtMs: number): Promise<NodeIds> {
  const unique = [...new Map(names.map((name) => [nameKey(name), name])).values()];
  // Those that tell a machine id come first: a host alone then finds it.
  const ordered = [...unique.filter(({ machineId }) => machineId !== null), ...unique.filter(({ machineId }) => machineId === null)];
  let book = await readBook(db, ordered);
  for (const name of ordered) {
    const found = book.find(name);
    if (found === null || name.machineId === null) continue;
    const unnamed = book.unnamed(name, found);
    if (found.machineId === null) await db.$executeRaw`UPDATE fleet_node SET machine_id = ${name.machineId} WHERE id = ${found.id}`;
    else if (unnamed !== null) await unite(db, unnamed.id, found.id);
    else continue;
    book = await readBook(db, ordered);
  }
  await makeNodes(
    db,
    ordered.filter((name) => book.find(name) === null),
    seenAtMs,
  );
  book = await readBook(db, ordered);
  const ids = new Map<string, number>();
  const facts: SeenFact[] = [];
  for (const name of ordered) {
    const node = book.find(name);
    if (node === null) throw new Error(`node ${nameKey(name)} can neither be made nor found`);
    ids.set(nameKey(name), node.id);
    // A source that knows no machine id found the node by its alias: it does not say what the node is called now.
    if (name.host !== null && (name.machineId !== null || node.machineId === null))
      facts.push({ kind: "node", key: nodeAttributeKey(node.id), name: "host", value: name.host });
  }
  for (const name of names) {
    const id = ids.get(nameKey(name));
    if (name.rack !== undefined && id !== undefined)
      facts.push({ kind: "node", key: nodeAttributeKey(id), name: "rack", value: name.rack });
  }
  await writeSeenFacts(db, facts, seenAtMs);
  await touchNodes(db, [...new Set(ids.values())], seenAtMs);
  return ids;
}

interface Book {
  find(name: NodeName): NodeRow | null;
  /** Another node that is known by this host only. */
  unnamed(name: NodeName, than: NodeRow): NodeRow | null;
}

/** Indexes: machine_id, host, and (name, value) of the attributes; their nodes by the primary key, with or without statistics. */
async function readBook(db: Db, names: readonly NodeName[]): Promise<Book> {
  const machines = names.flatMap(({ machineId }) => machineId ?? []);
  const hosts = names.flatMap(({ host }) => host ?? []);
  const rows = await db.$queryRaw<NodeRow[]>`
    SELECT id, machine_id AS "machineId", host, last_seen_ms AS "lastSeenMs" FROM fleet_node
    WHERE machine_id = ANY(${machines}::text[]) OR host = ANY(${hosts}::text[]) ORDER BY last_seen_ms DESC, id DESC`;
  const aliases = await db.$queryRaw<(NodeRow & { readonly alias: string })[]>`
    SELECT n.id, n.machine_id AS "machineId", n.host, n.last_seen_ms AS "lastSeenMs", a.value AS alias
    FROM fleet_attribute a JOIN fleet_node n ON n.id = substr(a.key, 6)::int
    WHERE a.kind = 'node' AND a.name = 'host' AND a.value = ANY(${hosts}::text[]) ORDER BY a.from_ms DESC, n.id DESC`;
  const byMachine = new Map(rows.flatMap((row) => (row.machineId === null ? [] : [[row.machineId, row] as const])));
  const byHost = grouped(rows, (row) => row.host);
  const byAlias = grouped(aliases, (row) => row.alias);
  const unnamedOf = (host: string | null): NodeRow | null =>
    host === null ? null : ((byHost.get(host) ?? []).find((row) => row.machineId === null) ?? null);
  return {
    find({ machineId, host }) {
      if (machineId !== null) return byMachine.get(machineId) ?? unnamedOf(host);
      if (host === null) return null;
      const now = byHost.get(host) ?? [];
      return now.find((row) => row.machineId !== null) ?? now[0] ?? byAlias.get(host)?.[0] ?? null;
    },
    unnamed({ host }, than) {
      const row = unnamedOf(host);
      return row === null || row.id === than.id ? null : row;
    },
  };
}

function grouped<Row>(rows: readonly Row[], key: (row: Row) => string): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}

async function makeNodes(db: Db, names: readonly NodeName[], seenAtMs: number): Promise<void> {
  if (names.length === 0) return;
  // A host that is told with and without its machine id in one breath is one node.
  const told = new Set(names.flatMap(({ machineId, host }) => (machineId === null ? [] : (host ?? []))));
  const rows = names
    .filter(({ machineId, host }) => machineId !== null || !told.has(host ?? ""))
    .map(({ machineId, host }) => ({ machine: machineId, host: host ?? machineId }));
  await db.$executeRaw`
    INSERT INTO fleet_node (machine_id, host, first_seen_ms, last_seen_ms)
    SELECT DISTINCT ON (coalesce(machine, 'name:' || host)) machine, host, ${seenAtMs}::float8, ${seenAtMs}::float8
    FROM jsonb_to_recordset(${jsonText(rows)}::jsonb) AS n (machine text, host text)`;
}

async function touchNodes(db: Db, ids: readonly number[], seenAtMs: number): Promise<void> {
  await db.$executeRaw`
    UPDATE fleet_node n SET first_seen_ms = least(first_seen_ms, ${seenAtMs}::float8), last_seen_ms = greatest(last_seen_ms, ${seenAtMs}::float8),
      host = coalesce((SELECT a.value FROM fleet_attribute a WHERE a.kind = 'node' AND a.key = 'node:' || n.id AND a.name = 'host' ORDER BY a.from_ms DESC LIMIT 1), host)
    WHERE id = ANY(${[...ids]}::int[])`;
}

/** All that was said of one node is the other's from now on. */
async function unite(db: Db, from: number, into: number): Promise<void> {
  // Whoever writes about the node meanwhile waits, and then finds that it is gone.
  await db.$queryRaw`SELECT id FROM fleet_node WHERE id = ANY(${[from, into]}::int[]) ORDER BY id FOR UPDATE`;
  await db.$executeRaw`UPDATE fleet_entity SET node_id = ${into} WHERE node_id = ${from}`;
  await db.$executeRaw`UPDATE fleet_event SET node_id = ${into} WHERE node_id = ${from}`;
  await db.$executeRaw`UPDATE fleet_attribute SET value = ${nodeAttributeKey(into)} WHERE name = 'node' AND value = ${nodeAttributeKey(from)}`;
  await db.$executeRaw`DELETE FROM fleet_attribute WHERE kind = 'node' AND key = ${nodeAttributeKey(from)}`;
  await db.$executeRaw`
    UPDATE fleet_node n SET first_seen_ms = least(n.first_seen_ms, o.first_seen_ms), last_seen_ms = greatest(n.last_seen_ms, o.last_seen_ms),
      cordoned_at_ms = coalesce(n.cordoned_at_ms, o.cordoned_at_ms), cordon_reason = coalesce(n.cordon_reason, o.cordon_reason)
    FROM fleet_node o WHERE n.id = ${into} AND o.id = ${from}`;
  await db.$executeRaw`DELETE FROM fleet_node WHERE id = ${from}`;
}

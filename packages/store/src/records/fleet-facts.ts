import { changeOfRanges, type AttributeRange, type RangeChange } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { jsonText } from "./json.ts";

/** Something true of a node (`kind` "node", `key` "node:<id>") or an entity at a time. */
export interface SeenFact {
  readonly kind: string;
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

interface Neighbours {
  readonly place: number;
  readonly beforeId: number | null;
  readonly beforeValue: string | null;
  readonly beforeFrom: number | null;
  readonly beforeTo: number | null;
  readonly afterId: number | null;
  readonly afterValue: string | null;
  readonly afterFrom: number | null;
  readonly afterTo: number | null;
}

/**
 * Tells facts seen at a time to their ranges; of several words about one attribute the first counts. Answers those that were news. The
 * caller holds the lock of the fleet's records: two writers would else add the same range twice. Index: kind, key, name, from_ms.
 */
export async function writeSeenFacts(db: Db, seen: readonly SeenFact[], seenAtMs: number): Promise<readonly SeenFact[]> {
  const facts = [...new Map([...seen].reverse().map((fact) => [`${fact.kind} ${fact.key} ${fact.name}`, fact])).values()].reverse();
  if (facts.length === 0) return [];
  const rows = await db.$queryRaw<Neighbours[]>`
    SELECT f.place, b.id AS "beforeId", b.value AS "beforeValue", b.from_ms AS "beforeFrom", b.to_ms AS "beforeTo",
      a.id AS "afterId", a.value AS "afterValue", a.from_ms AS "afterFrom", a.to_ms AS "afterTo"
    FROM jsonb_to_recordset(${jsonText(facts.map((fact, place) => ({ ...fact, place })))}::jsonb) AS f (place int, kind text, key text, name text)
    LEFT JOIN LATERAL (SELECT * FROM fleet_attribute o WHERE o.kind = f.kind AND o.key = f.key AND o.name = f.name AND o.from_ms <= ${seenAtMs}
      ORDER BY o.from_ms DESC, o.id DESC LIMIT 1) b ON true
    LEFT JOIN LATERAL (SELECT * FROM fleet_attribute o WHERE o.kind = f.kind AND o.key = f.key AND o.name = f.name AND o.from_ms > ${seenAtMs}
      ORDER BY o.from_ms, o.id LIMIT 1) a ON true`;
  const changes = rows.flatMap((row) => {
    const fact = facts[row.place];
    if (fact === undefined) return [];
    const before = rangeOf(row.beforeValue, row.beforeFrom, row.beforeTo);
    const change = changeOfRanges(before, rangeOf(row.afterValue, row.afterFrom, row.afterTo), fact.value, seenAtMs);
    return change === null ? [] : [{ fact, row, change }];
  });
  await apply(db, changes);
  return changes.map(({ fact }) => fact);
}

function rangeOf(value: string | null, fromMs: number | null, toMs: number | null): AttributeRange | null {
  return value === null || fromMs === null ? null : { value, fromMs, toMs };
}

interface Change {
  readonly fact: SeenFact;
  readonly row: Neighbours;
  readonly change: RangeChange;
}

async function apply(db: Db, changes: readonly Change[]): Promise<void> {
  const updates = changes.flatMap(({ row, change }) => [
    ...(change.close !== null && row.beforeId !== null ? [{ id: row.beforeId, to: change.close }] : []),
    ...(change.extend !== null && row.afterId !== null ? [{ id: row.afterId, from: change.extend }] : []),
    ...(change.correct !== null && row.beforeId !== null ? [{ id: row.beforeId, value: change.correct }] : []),
  ]);
  if (updates.length > 0) {
    await db.$executeRaw`
      UPDATE fleet_attribute o SET to_ms = coalesce(n.to_ms, o.to_ms), from_ms = coalesce(n.from_ms, o.from_ms), value = coalesce(n.value, o.value)
      FROM (SELECT id, "to" AS to_ms, "from" AS from_ms, value
        FROM jsonb_to_recordset(${jsonText(updates)}::jsonb) AS u (id int, "to" float8, "from" float8, value text)) n
      WHERE o.id = n.id`;
  }
  const added = changes.flatMap(({ fact, change }) =>
    change.add === null ? [] : [{ ...fact, from: change.add.fromMs, to: change.add.toMs }],
  );
  if (added.length === 0) return;
  await db.$executeRaw`
    INSERT INTO fleet_attribute (kind, key, name, value, from_ms, to_ms)
    SELECT kind, key, name, value, "from", "to"
    FROM jsonb_to_recordset(${jsonText(added)}::jsonb) AS n (kind text, key text, name text, value text, "from" float8, "to" float8)`;
}

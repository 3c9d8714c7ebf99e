import { createHash } from "node:crypto";
import type { SeriesIdentity } from "@trainwatch/core";
import type pg from "pg";
import { inTransaction } from "../../pool/index.ts";
import type { SeriesPlace } from "../contract.ts";
import { LOCKS } from "../locks.ts";
import { slotsFor } from "./slot-order.ts";

export interface WantedPlace {
  readonly identity: SeriesIdentity;
  readonly seenAtMs: number;
}

interface Hashed extends WantedPlace {
  /** SHA-256 of the identity's key, in hexadecimal. */
  readonly hash: string;
}

/**
 * Places in the order of `wanted`; those that no process has asked for before are made. Making takes one lock for the whole dictionary:
 * it is rare, many callers share one transaction, and two that make the same series at once would else wait for each other in a circle.
 */
export async function makePlaces(pool: pg.Pool, wanted: readonly WantedPlace[]): Promise<readonly SeriesPlace[]> {
  const hashed = wanted.map((each): Hashed => ({ ...each, hash: createHash("sha256").update(each.identity.key).digest("hex") }));
  const unique = new Map(hashed.map((each) => [each.hash, each]));
  const places = new Map(await readPlaces(pool, [...unique.keys()]));
  const missing = [...unique.values()].filter(({ hash }) => !places.has(hash));
  if (missing.length > 0) {
    await inTransaction(pool, "write", async (client) => {
      await client.query("SELECT pg_advisory_xact_lock($1, 0)", [LOCKS.fleetPlaces]);
      const meanwhile = await readPlaces(
        client,
        missing.map(({ hash }) => hash),
      );
      for (const [hash, place] of meanwhile) places.set(hash, place);
      const fresh = missing.filter(({ hash }) => !meanwhile.has(hash));
      for (const [hash, place] of await insertSeries(client, fresh)) places.set(hash, place);
    });
  }
  return hashed.map(({ hash, identity }) => {
    const place = places.get(hash);
    if (place === undefined) throw new Error(`no place was made for ${identity.key}`);
    return place;
  });
}

type PlaceByHash = ReadonlyMap<string, SeriesPlace>;

/** Index: fleet_series_key_idx. */
async function readPlaces(client: pg.Pool | pg.ClientBase, hashes: readonly string[]): Promise<PlaceByHash> {
  const { rows } = await client.query<{ hash: string; groupId: number; slot: number }>(
    `SELECT encode(key, 'hex') AS hash, group_id AS "groupId", slot FROM samples.fleet_series
     WHERE key = ANY(ARRAY(SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h))`,
    [hashes],
  );
  return new Map(rows.map(({ hash, groupId, slot }) => [hash, { groupId, slot }]));
}

async function insertSeries(client: pg.ClientBase, fresh: readonly Hashed[]): Promise<PlaceByHash> {
  if (fresh.length === 0) return new Map();
  const targets = new Map<string, Hashed[]>();
  for (const each of fresh) {
    const mine = targets.get(each.identity.target) ?? [];
    mine.push(each);
    targets.set(each.identity.target, mine);
  }
  const newest = await readNewestGroups(client, [...targets.keys()]);
  const placed: { readonly each: Hashed; readonly place: SeriesPlace }[] = [];
  const filled: { readonly groupId: number; readonly slots: number }[] = [];
  const planned = [...targets].map(([target, series]) => {
    const group = newest.get(target);
    const fills = slotsFor(
      series.map(({ identity }) => identity),
      group?.slots ?? 0,
    );
    return { target, series, group, fills, groups: 1 + Math.max(...fills.map((fill) => fill.group)) };
  });
  const made = await makeGroups(
    client,
    planned.flatMap(({ target, group, groups }) => Array<string>(groups - (group === undefined ? 0 : 1)).fill(target)),
  );
  for (const { series, group, fills, groups } of planned) {
    const ids = [...(group === undefined ? [] : [group.groupId]), ...made.splice(0, groups - (group === undefined ? 0 : 1))];
    const slots = ids.map((_, index) => (index === 0 ? (group?.slots ?? 0) : 0));
    series.forEach((each, index) => {
      const fill = fills[index];
      const groupId = ids[fill?.group ?? -1];
      if (fill === undefined || groupId === undefined) throw new Error(`no slot was found for ${each.identity.key}`);
      placed.push({ each, place: { groupId, slot: fill.slot } });
      slots[fill.group] = Math.max(slots[fill.group] ?? 0, fill.slot + 1);
    });
    ids.forEach((groupId, index) => filled.push({ groupId, slots: slots[index] ?? 0 }));
  }
  await writeSeries(client, placed);
  await client.query(
    "UPDATE samples.fleet_group g SET slots = n.slots FROM unnest($1::int[], $2::int[]) AS n(group_id, slots) WHERE g.group_id = n.group_id",
    [filled.map(({ groupId }) => groupId), filled.map(({ slots }) => slots)],
  );
  return new Map(placed.map(({ each, place }) => [each.hash, place]));
}

/** Index: fleet_group_target_idx. */
async function readNewestGroups(
  client: pg.ClientBase,
  targets: readonly string[],
): Promise<ReadonlyMap<string, { readonly groupId: number; readonly slots: number }>> {
  const { rows } = await client.query<{ target: string; groupId: number; slots: number }>(
    `SELECT DISTINCT ON (target) target, group_id AS "groupId", slots FROM samples.fleet_group WHERE target = ANY($1::text[]) ORDER BY target, group_id DESC`,
    [targets],
  );
  return new Map(rows.map(({ target, ...group }) => [target, group]));
}

/** New groups, in the order of their targets. */
async function makeGroups(client: pg.ClientBase, targets: readonly string[]): Promise<number[]> {
  if (targets.length === 0) return [];
  const { rows } = await client.query<{ groupId: number; target: string }>(
    `INSERT INTO samples.fleet_group (target) SELECT * FROM unnest($1::text[]) RETURNING group_id AS "groupId", target`,
    [targets],
  );
  const byTarget = new Map<string, number[]>();
  for (const { groupId, target } of rows.sort((a, b) => a.groupId - b.groupId))
    byTarget.set(target, [...(byTarget.get(target) ?? []), groupId]);
  return targets.flatMap((target) => byTarget.get(target)?.splice(0, 1) ?? []);
}

async function writeSeries(
  client: pg.ClientBase,
  placed: readonly { readonly each: Hashed; readonly place: SeriesPlace }[],
): Promise<void> {
  await client.query(
    `INSERT INTO samples.fleet_series (group_id, slot, metric, source_name, entity_kind, entity_id, labels, key, created_ms)
     SELECT group_id, slot, metric, source_name, entity_kind, entity_id, labels::jsonb, decode(hash, 'hex'), created_ms
     FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[])
       AS s(group_id, slot, metric, source_name, entity_kind, entity_id, labels, hash, created_ms)`,
    [
      placed.map(({ place }) => place.groupId),
      placed.map(({ place }) => place.slot),
      placed.map(({ each }) => each.identity.metric),
      placed.map(({ each }) => each.identity.sourceName),
      placed.map(({ each }) => each.identity.entity?.kind ?? null),
      placed.map(({ each }) => each.identity.entity?.id ?? null),
      placed.map(({ each }) => JSON.stringify(each.identity.labels)),
      placed.map(({ each }) => each.hash),
      placed.map(({ each }) => each.seenAtMs),
    ],
  );
}

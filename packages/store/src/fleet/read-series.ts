import type { Entity, EntityKind, RawLabels } from "@trainwatch/core";
import { ENTITY_KINDS } from "@trainwatch/core";
import type pg from "pg";
import type { FleetReader, FleetSeriesInfo } from "./contract.ts";

/** Index: fleet_series_metric_idx, of which it reads all; the dictionary is small. */
export async function readMetrics(pool: pg.Pool): Promise<readonly { readonly metric: string; readonly series: number }[]> {
  const { rows } = await pool.query<{ metric: string; series: number }>(
    "SELECT metric, count(*)::int AS series FROM samples.fleet_series GROUP BY metric ORDER BY metric",
  );
  return rows;
}

interface SeriesRow {
  readonly groupId: number;
  readonly slot: number;
  readonly metric: string;
  readonly sourceName: string;
  readonly entityKind: string | null;
  readonly entityId: string | null;
  readonly labels: RawLabels;
}

/** Index: fleet_series_metric_idx or fleet_series_entity_idx, whichever of the two narrows it down more. */
export async function readSeries(pool: pg.Pool, filter: Parameters<FleetReader["series"]>[0]): Promise<readonly FleetSeriesInfo[]> {
  const { metric, entity, entityPrefix, limit } = filter;
  const values: unknown[] = [limit];
  const conditions = ["true"];
  const given = (value: unknown): string => `$${values.push(value)}`;
  if (metric !== undefined) conditions.push(`metric = ${given(metric)}`);
  if (entity !== undefined) conditions.push(`entity_kind = ${given(entity.kind)} AND entity_id = ${given(entity.id)}`);
  if (entityPrefix !== undefined)
    conditions.push(`entity_kind = ANY(${given([...ENTITY_KINDS])}) AND entity_id LIKE ${given(`${escaped(entityPrefix)}%`)}`);
  const { rows } = await pool.query<SeriesRow>(
    `SELECT group_id AS "groupId", slot, metric, source_name AS "sourceName", entity_kind AS "entityKind", entity_id AS "entityId", labels
     FROM samples.fleet_series WHERE ${conditions.join(" AND ")} ORDER BY group_id, slot LIMIT $1`,
    values,
  );
  return rows.map(({ groupId, slot, metric: name, sourceName, entityKind, entityId, labels }) => ({
    place: { groupId, slot },
    metric: name,
    sourceName,
    entity: entityOf(entityKind, entityId),
    labels,
  }));
}

function entityOf(kind: string | null, id: string | null): Entity | null {
  const known = ENTITY_KINDS.find((each): each is EntityKind => each === kind);
  return known === undefined || id === null ? null : { kind: known, id };
}

function escaped(prefix: string): string {
  return prefix.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
}

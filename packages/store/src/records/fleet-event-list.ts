import {
  AGENT_SOURCE_PREFIX,
  FLEET_EVENT_KINDS,
  SEVERITIES,
  ENTITY_KINDS,
  type FleetEventPage,
  type FleetEventView,
  type FleetGpuView,
} from "@trainwatch/core";
import { Prisma } from "../generated/client.ts";
import type { Db } from "./db.ts";
import { EVENT_SOURCE } from "./fleet-push.ts";
import { decodeCursor, encodeCursor } from "./page-cursor.ts";

export interface EventQuestion {
  readonly nodeId: number | null;
  /** Events of these entity ids; null: of any. */
  readonly entityIds: readonly string[] | null;
  readonly kinds: readonly string[];
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface ChangedEventQuestion {
  /** Bursts whose last event is not older than this. */
  readonly lastFromMs: number;
  /** And those, however old, that were stored after this one; null asks for none of these. */
  readonly afterId: number | null;
  /** And these, whatever their times. */
  readonly alsoIds: readonly number[];
  /** Bursts that had begun by then. */
  readonly firstToMs: number;
  /** And those that begin after this time, which has yet to come: they are here, so they have happened, and their node's clock runs ahead. Null asks for none of these. */
  readonly aheadOfMs: number | null;
  /** And were stored after this one, whatever else they are: where the portion before ended. 0 for the first. */
  readonly beyondId: number;
  readonly limit: number;
}

export interface FleetEventRecords {
  /** Bursts that may be new or may have grown, in the order in which they were stored. Indexes: last_ms, and the primary key. */
  changedEvents(question: ChangedEventQuestion): Promise<readonly FleetEventView[]>;
  /** Id of the burst that was stored last; 0 where there is none. */
  newestEventId(): Promise<number>;
  /** Newest first. */
  events(question: EventQuestion): Promise<FleetEventPage>;
  /**
   * When a source of events other than our agent sent last of each node, also if nothing had happened: by row id of the node, epoch ms of our
   * clock. The agent sends events of more than the kernel's log, its own failures too, and says by a reading whether it reads the log.
   */
  eventSources(): Promise<ReadonlyMap<number, number>>;
  /** Incidents with a finding about this subject, newest first. */
  incidentsAbout(subjectId: string, limit: number): Promise<FleetGpuView["incidents"]>;
  /** Bursts by the bucket in which they began, of buckets of equal width over [fromMs, toMs). Rows, not counts: a burst is one. */
  eventCounts(
    fromMs: number,
    toMs: number,
    buckets: number,
  ): Promise<readonly { readonly bucket: number; readonly severity: string; readonly bursts: number; readonly events: number }[]>;
}

interface Row {
  readonly id: number;
  readonly timeMs: number;
  readonly lastTimeMs: number;
  readonly kind: string;
  readonly code: number | null;
  readonly severity: string;
  readonly nodeId: string;
  readonly host: string;
  readonly entityKind: string | null;
  readonly entityKey: string | null;
  readonly text: string;
  readonly count: number;
}

export function createFleetEventRecords(db: Db): FleetEventRecords {
  return {
    async events({ nodeId, entityIds, kinds, fromMs, toMs, limit, cursor }) {
      const filter = Prisma.join(
        [
          Prisma.sql`true`,
          ...(nodeId === null ? [] : [Prisma.sql`e.node_id = ${nodeId}`]),
          ...(entityIds === null ? [] : [Prisma.sql`e.entity_key = ANY(${[...entityIds]}::text[])`]),
          ...(kinds.length === 0 ? [] : [Prisma.sql`e.kind = ANY(${[...kinds]}::text[])`]),
          ...(fromMs === null ? [] : [Prisma.sql`e.last_ms >= ${fromMs}::float8`]),
          ...(toMs === null ? [] : [Prisma.sql`e.first_ms < ${toMs}::float8`]),
        ],
        " AND ",
      );
      const after = cursor === null ? null : decodeCursor(cursor, 2).map(Number);
      const page = after === null ? Prisma.sql`` : Prisma.sql`AND (e.last_ms, e.id) < (${after[0] ?? 0}::float8, ${after[1] ?? 0}::int)`;
      const [count] = await db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM fleet_event e WHERE ${filter}`;
      // Index: last_ms, or (node_id, last_ms).
      const rows = await db.$queryRaw<Row[]>`
        SELECT e.id, e.first_ms AS "timeMs", e.last_ms AS "lastTimeMs", e.kind, e.code, e.severity, coalesce(n.machine_id, 'name:' || n.host) AS "nodeId", n.host,
          e.entity_kind AS "entityKind", e.entity_key AS "entityKey", e.text, e.count
        FROM fleet_event e JOIN fleet_node n ON n.id = e.node_id WHERE ${filter} ${page} ORDER BY e.last_ms DESC, e.id DESC LIMIT ${limit + 1}`;
      const items = rows.slice(0, limit).map(viewOf);
      const last = rows.length > limit ? items.at(-1) : undefined;
      return { items, total: count?.total ?? 0, next: last === undefined ? null : encodeCursor([last.lastTimeMs, last.id]) };
    },
    async changedEvents({ lastFromMs, afterId, alsoIds, firstToMs, aheadOfMs, beyondId, limit }) {
      const rows = await db.$queryRaw<Row[]>`
        SELECT e.id, e.first_ms AS "timeMs", e.last_ms AS "lastTimeMs", e.kind, e.code, e.severity, coalesce(n.machine_id, 'name:' || n.host) AS "nodeId", n.host,
          e.entity_kind AS "entityKind", e.entity_key AS "entityKey", e.text, e.count
        FROM (SELECT id FROM fleet_event WHERE last_ms >= ${lastFromMs}::float8
          UNION SELECT id FROM fleet_event WHERE id > ${afterId}::int
          UNION SELECT unnest(${[...alsoIds]}::int[])) c
        JOIN fleet_event e ON e.id = c.id JOIN fleet_node n ON n.id = e.node_id
        WHERE (e.first_ms <= ${firstToMs}::float8 OR e.first_ms > ${aheadOfMs}::float8) AND e.id > ${beyondId}::int ORDER BY e.id LIMIT ${limit}`;
      return rows.map(viewOf);
    },
    async newestEventId() {
      const [row] = await db.$queryRaw<{ id: number | null }[]>`SELECT max(id) AS id FROM fleet_event`;
      return row?.id ?? 0;
    },
    async eventSources() {
      const rows = await db.$queryRaw<{ node: number; lastMs: number }[]>`
        SELECT substr(a.key, 6)::int AS node, max(b.last_ms) AS "lastMs" FROM (
          SELECT DISTINCT key, value FROM fleet_attribute
          WHERE kind = 'node' AND name = ${EVENT_SOURCE} AND NOT starts_with(value, ${AGENT_SOURCE_PREFIX})
        ) a
        JOIN LATERAL (SELECT received_at_ms AS last_ms FROM fleet_batch WHERE source = a.value ORDER BY seq DESC LIMIT 1) b ON true
        GROUP BY a.key`;
      return new Map(rows.map(({ node, lastMs }) => [node, lastMs]));
    },
    async incidentsAbout(subjectId, limit) {
      const rows = await db.$queryRaw<{ id: number; title: string; severity: string; openedAtMs: number }[]>`
        SELECT DISTINCT i.id, i.title, i.severity, i.opened_at_ms AS "openedAtMs" FROM finding f JOIN incident i ON i.id = f.incident_id
        WHERE f.body->'subject'->>'id' = ${subjectId} ORDER BY i.opened_at_ms DESC, i.id DESC LIMIT ${limit}`;
      return rows.map((row) => ({ ...row, severity: SEVERITIES.find((known) => known === row.severity) ?? "info" }));
    },
    async eventCounts(fromMs, toMs, buckets) {
      return db.$queryRaw<{ bucket: number; severity: string; bursts: number; events: number }[]>`
        SELECT least(floor((e.first_ms - ${fromMs}::float8) * ${buckets}::int / (${toMs}::float8 - ${fromMs}::float8)), ${buckets - 1}::int)::int AS bucket, e.severity,
          count(*)::int AS bursts, sum(e.count)::float8 AS events
        FROM fleet_event e WHERE e.last_ms >= ${fromMs}::float8 AND e.first_ms >= ${fromMs}::float8 AND e.first_ms < ${toMs}::float8 GROUP BY 1, 2 ORDER BY 1, 2`;
    },
  };
}

function viewOf({ entityKind, entityKey, kind, severity, ...row }: Row): FleetEventView {
  const knownKind = ENTITY_KINDS.find((known) => known === entityKind);
  return {
    ...row,
    kind: FLEET_EVENT_KINDS.find((known) => known === kind) ?? "kernel",
    severity: SEVERITIES.find((known) => known === severity) ?? "info",
    entity: knownKind === undefined || entityKey === null ? null : { kind: knownKind, id: entityKey },
  };
}

import { gpuOf, type Entity, type FleetEvent } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { writeEvents, type NodeEvent } from "./fleet-events.ts";
import { lockNodeEvents } from "./fleet-locks.ts";
import { jsonText } from "./json.ts";

/** A gauge of the last event as it was read last. */
export interface LastEvent {
  /** Entity id. */
  readonly key: string;
  readonly metric: string;
  readonly value: number;
  readonly atMs: number;
}

/** An event that a gauge has told. */
export interface GaugeEvent {
  readonly entity: Entity;
  readonly event: Pick<FleetEvent, "timeMs" | "kind" | "code" | "severity" | "text">;
}

export interface FleetLastEventRecords {
  lastEvents(): Promise<readonly LastEvent[]>;
  /** Up to which time gauges have been looked at, epoch ms; null: never. */
  gaugeCursor(): Promise<number | null>;
  setGaugeCursor(untilMs: number, nowMs: number): Promise<void>;
  /**
   * Keeps how gauges stand now and stores what they have told. An event that the kernel's log has told within a minute is that event and no
   * second one; events of entities whose node nobody knows are left out and counted in the answer. Inside a transaction that holds the lease.
   */
  moveGauges(gauges: readonly LastEvent[], events: readonly GaugeEvent[]): Promise<{ readonly homeless: number }>;
}

const CURSOR_KEY = "fleet.gaugeCursor";

export function createFleetLastEventRecords(db: Db): FleetLastEventRecords {
  return {
    lastEvents: () => db.fleetLastEvent.findMany(),
    async gaugeCursor() {
      const row = await db.setting.findUnique({ where: { key: CURSOR_KEY } });
      return typeof row?.value === "number" ? row.value : null;
    },
    async setGaugeCursor(untilMs, nowMs) {
      const value = { value: untilMs, updatedAtMs: nowMs };
      await db.setting.upsert({ where: { key: CURSOR_KEY }, create: { key: CURSOR_KEY, ...value }, update: value });
    },
    async moveGauges(gauges, events) {
      await db.$executeRaw`
        INSERT INTO fleet_last_event (key, metric, value, at_ms)
        SELECT key, metric, value, "atMs" FROM jsonb_to_recordset(${jsonText(gauges)}::jsonb) AS n (key text, metric text, value float8, "atMs" float8)
        ON CONFLICT (key, metric) DO UPDATE SET value = excluded.value, at_ms = excluded.at_ms`;
      const placed = await place(db, events);
      await lockNodeEvents(
        db,
        placed.map(({ nodeId }) => nodeId),
      );
      await writeEvents(db, placed, true);
      return { homeless: events.length - placed.length };
    },
  };
}

async function place(db: Db, events: readonly GaugeEvent[]): Promise<readonly NodeEvent[]> {
  if (events.length === 0) return [];
  const rows = await db.$queryRaw<{ kind: string; key: string; nodeId: number }[]>`
    SELECT kind, key, node_id AS "nodeId" FROM fleet_entity WHERE node_id IS NOT NULL AND key = ANY(${events.map(({ entity }) => entity.id)}::text[])`;
  const nodeOf = new Map(rows.map(({ kind, key, nodeId }) => [`${kind} ${key}`, nodeId]));
  return events.flatMap(({ entity, event }): NodeEvent[] => {
    const nodeId = nodeOf.get(`${entity.kind} ${entity.id}`);
    // A fault of the GPU stands in the gauge of each of its MIG instances.
    const of = entity.kind === "gpu" ? { kind: "gpu" as const, id: gpuOf(entity.id) } : entity;
    return nodeId === undefined ? [] : [{ ...event, nodeId, entity: of, subCode: null, count: 1, lastTimeMs: null }];
  });
}

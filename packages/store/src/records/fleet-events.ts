import { BURST_SILENCE_MS, burstKey, burstOf, foldBursts, SEVERITIES, type Burst, type FleetEvent } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { jsonText } from "./json.ts";

/** An event that is known to be of a node. */
export interface NodeEvent extends FleetEvent {
  readonly nodeId: number;
}

export interface EventsOutcome {
  /** Rows that were made. What is not a new row has joined a burst. */
  readonly made: number;
}

interface StoredBurst {
  readonly id: number;
  readonly nodeId: number;
  readonly kind: string;
  readonly code: number | null;
  readonly subCode: string | null;
  readonly entityKind: string | null;
  readonly entityKey: string | null;
  readonly severity: string;
  readonly text: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly fromGauge: boolean;
}

type Piece = Burst & { readonly id: number | null };

/**
 * Stores events of nodes: each joins the burst of its like that is open at its time, or begins one (F1). A hundred thousand of the same are a
 * few rows, and their counts add up. `fromGauge`: the events are changes of a gauge, whose log line may come before or after (E1). The caller
 * holds the locks of the nodes. Index: node_id, last_ms.
 */
export async function writeEvents(db: Db, events: readonly NodeEvent[], fromGauge: boolean): Promise<EventsOutcome> {
  if (events.length === 0) return { made: 0 };
  const series = new Map<string, { readonly like: NodeEvent; readonly pieces: Piece[] }>();
  for (const event of events) {
    const key = `${event.nodeId} ${burstKey(event)}`;
    const known = series.get(key);
    const piece = { ...burstOf(event, fromGauge), id: null };
    if (known === undefined) series.set(key, { like: event, pieces: [piece] });
    else known.pieces.push(piece);
  }
  // The push is folded in itself first: what is asked of the database is a burst and not an event.
  for (const [key, { like, pieces }] of series)
    series.set(key, { like, pieces: foldBursts(pieces).map((burst) => ({ ...burst, id: null })) });
  for (const stored of await readNeighbours(db, [...series.values()])) {
    series.get(`${stored.nodeId} ${keyOfStored(stored)}`)?.pieces.push(pieceOf(stored));
  }
  return apply(db, [...series.values()]);
}

function keyOfStored({ kind, code, subCode, entityKind, entityKey }: StoredBurst): string {
  return JSON.stringify([kind, code, subCode, entityKind, entityKey]);
}

function pieceOf({ id, firstMs, lastMs, count, severity, text, fromGauge }: StoredBurst): Piece {
  return { id, firstMs, lastMs, count, severity: SEVERITIES.find((known) => known === severity) ?? "info", text, fromGauge };
}

async function readNeighbours(
  db: Db,
  series: readonly { readonly like: NodeEvent; readonly pieces: readonly Piece[] }[],
): Promise<readonly StoredBurst[]> {
  const asked = series.map(({ like, pieces }) => ({
    node: like.nodeId,
    kind: like.kind,
    code: like.code,
    sub: like.subCode,
    ekind: like.entity?.kind ?? null,
    ekey: like.entity?.id ?? null,
    spans: pieces.map(({ firstMs, lastMs }) => [firstMs - BURST_SILENCE_MS, lastMs + BURST_SILENCE_MS]),
  }));
  return db.$queryRaw<StoredBurst[]>`
    SELECT DISTINCT e.id, e.node_id AS "nodeId", e.kind, e.code, e.sub_code AS "subCode", e.entity_kind AS "entityKind", e.entity_key AS "entityKey",
      e.severity, e.text, e.first_ms AS "firstMs", e.last_ms AS "lastMs", e.count, e.from_gauge AS "fromGauge"
    FROM jsonb_to_recordset(${jsonText(asked)}::jsonb) AS a (node int, kind text, code int, sub text, ekind text, ekey text, spans jsonb),
      jsonb_array_elements(a.spans) AS span
    JOIN LATERAL (SELECT * FROM fleet_event o WHERE o.node_id = a.node AND o.last_ms >= (span->>0)::float8 AND o.first_ms <= (span->>1)::float8
      AND o.kind = a.kind AND o.code IS NOT DISTINCT FROM a.code AND o.sub_code IS NOT DISTINCT FROM a.sub
      AND o.entity_kind IS NOT DISTINCT FROM a.ekind AND o.entity_key IS NOT DISTINCT FROM a.ekey) e ON true`;
}

async function apply(db: Db, series: readonly { readonly like: NodeEvent; readonly pieces: readonly Piece[] }[]): Promise<EventsOutcome> {
  const updates: (Burst & { readonly id: number })[] = [];
  const gone: number[] = [];
  const made: object[] = [];
  for (const { like, pieces } of series) {
    for (const { of, ...burst } of foldBursts(pieces)) {
      const ids = of.flatMap(({ id }) => id ?? []).sort((a, b) => a - b);
      const [kept, ...others] = ids;
      if (of.every(({ id }) => id !== null)) continue;
      if (kept === undefined) made.push(rowOf(like, burst));
      else updates.push({ ...burst, id: kept });
      gone.push(...others);
    }
  }
  if (updates.length > 0) {
    await db.$executeRaw`
      UPDATE fleet_event e SET first_ms = n."firstMs", last_ms = n."lastMs", count = n.count, severity = n.severity, text = n.text, from_gauge = n."fromGauge"
      FROM jsonb_to_recordset(${jsonText(updates)}::jsonb)
        AS n (id int, "firstMs" float8, "lastMs" float8, count float8, severity text, text text, "fromGauge" boolean)
      WHERE e.id = n.id`;
  }
  // Two bursts that an event between them has joined are one.
  if (gone.length > 0) await db.$executeRaw`DELETE FROM fleet_event WHERE id = ANY(${gone}::int[])`;
  if (made.length > 0) {
    await db.$executeRaw`
      INSERT INTO fleet_event (node_id, kind, code, sub_code, severity, entity_kind, entity_key, text, first_ms, last_ms, count, from_gauge)
      SELECT "nodeId", kind, code, "subCode", severity, "entityKind", "entityKey", text, "firstMs", "lastMs", count, "fromGauge"
      FROM jsonb_to_recordset(${jsonText(made)}::jsonb) AS n ("nodeId" int, kind text, code int, "subCode" text, severity text, "entityKind" text,
        "entityKey" text, text text, "firstMs" float8, "lastMs" float8, count float8, "fromGauge" boolean)
      ORDER BY "firstMs"`;
  }
  return { made: made.length };
}

function rowOf({ nodeId, kind, code, subCode, entity }: NodeEvent, { severity, text, firstMs, lastMs, count, fromGauge }: Burst): object {
  const entityKind = entity?.kind ?? null;
  const entityKey = entity?.id ?? null;
  return { nodeId, kind, code, subCode, severity, entityKind, entityKey, text, firstMs, lastMs, count, fromGauge };
}

import { AppError, type FleetEvent, type FleetEventsAnswer, type FleetEventsPush } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { type NodeEvent, writeEvents } from "./fleet-events.ts";
import { writeSeenFacts } from "./fleet-facts.ts";
import { lockNodeEvents, lockRecords } from "./fleet-locks.ts";
import { findNodes, nameKey, nodeAttributeKey, resolveNodes } from "./fleet-nodes.ts";

/** Attribute of a node: who sends its events. While that source sends, and is not our agent, its kernel log is read. */
export const EVENT_SOURCE = "events from";
/** How often a node may be united with another while we look for it. */
const MAX_TRIES = 5;

/** Stores a push of events, all of it or nothing; see FleetRecords.pushEvents. Inside a transaction. */
export async function pushEvents(
  db: Db,
  push: FleetEventsPush,
  bodyHash: string,
  nowMs: number,
): Promise<Omit<FleetEventsAnswer, "refused">> {
  const isNew =
    (await db.$executeRaw`
      INSERT INTO fleet_batch (source, seq, body_hash, answer, received_at_ms)
      VALUES (${push.source}, ${push.seq}::float8, ${bodyHash}, '{}'::jsonb, ${nowMs}::float8) ON CONFLICT DO NOTHING`) === 1;
  if (!isNew) {
    const known = await db.fleetBatch.findUnique({ where: { source_seq: { source: push.source, seq: push.seq } } });
    if (known?.bodyHash === bodyHash) return { accepted: 0, repeated: push.events.length, folded: 0 };
    throw new AppError(
      "conflict",
      `Events ${push.seq} of source ${push.source} were stored before with another content. Count on within the source, or use another source name.`,
      { details: { source: push.source, seq: push.seq } },
    );
  }
  const newestMs = push.events.reduce((newest, { timeMs, lastTimeMs }) => Math.max(newest, timeMs, lastTimeMs ?? timeMs), 0);
  const nodeId = await lockedNode(db, push, newestMs === 0 ? nowMs : newestMs);
  const events = await withUuids(db, nodeId, push.events);
  const { made } = await writeEvents(db, events, false);
  return { accepted: push.events.length, repeated: 0, folded: push.events.length - made };
}

/** Id of the push's node, made where nobody knows it; locked for events. */
async function lockedNode(db: Db, { source, node: { machineId, host, bootId } }: FleetEventsPush, seenAtMs: number): Promise<number> {
  const name = { machineId, host };
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let id = (await findNodes(db, [name])).get(nameKey(name));
    if (id === undefined || !(await isToldOf(db, id, source, bootId))) {
      await lockRecords(db);
      id = (await resolveNodes(db, [name], seenAtMs)).get(nameKey(name));
      if (id === undefined) throw new Error(`node ${nameKey(name)} was not resolved`);
      const boot = bootId === null ? [] : [{ name: "boot", value: bootId }];
      const key = nodeAttributeKey(id);
      await writeSeenFacts(
        db,
        [...boot, { name: EVENT_SOURCE, value: source }].map((fact) => ({ kind: "node", key, ...fact })),
        seenAtMs,
      );
      if (bootId !== null) await db.fleetNode.updateMany({ where: { id }, data: { bootId } });
    }
    await lockNodeEvents(db, [id]);
    // Somebody may have made this node and another one since we looked.
    const held = await db.$queryRaw<unknown[]>`SELECT 1 FROM fleet_node WHERE id = ${id} FOR KEY SHARE`;
    if (held.length === 1) return id;
  }
  throw new AppError("unavailable", `Node ${machineId ?? host ?? ""} is being united with another one. Send the events again in a moment.`);
}

/** Whether the node's records say that it runs this boot and that its events come from this source. */
async function isToldOf(db: Db, id: number, source: string, bootId: string | null): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM fleet_node n JOIN fleet_attribute a ON a.kind = 'node' AND a.key = 'node:' || n.id AND a.name = ${EVENT_SOURCE} AND a.to_ms IS NULL
    WHERE n.id = ${id} AND a.value = ${source} AND (${bootId}::text IS NULL OR n.boot_id = ${bootId}::text)`;
  return rows.length > 0;
}

/** The kernel names a GPU by its PCI address; where a source has told whose that is, the event is the GPU's. */
async function withUuids(db: Db, nodeId: number, events: readonly FleetEvent[]): Promise<readonly NodeEvent[]> {
  const isByPci = events.some(({ entity }) => entity?.id.startsWith(PCI) === true);
  const known = isByPci
    ? await db.$queryRaw<{ key: string; pci: string; fromMs: number; toMs: number | null }[]>`
        SELECT e.key, a.value AS pci, a.from_ms AS "fromMs", a.to_ms AS "toMs" FROM fleet_entity e
        JOIN fleet_attribute a ON a.kind = 'gpu' AND a.key = e.key AND a.name = 'pci'
        WHERE e.kind = 'gpu' AND e.node_id = ${nodeId} ORDER BY a.from_ms DESC`
    : [];
  return events.map((event) => {
    const { entity } = event;
    if (entity === null || !entity.id.startsWith(PCI)) return { ...event, nodeId };
    const address = pciAddress(entity.id.slice(PCI.length));
    const mine = known.filter(({ pci }) => pciAddress(pci) === address);
    // What sat there at the time; an event from before anything was told is of the first that was.
    const gpu = mine.find(({ fromMs, toMs }) => fromMs <= event.timeMs && (toMs === null || event.timeMs < toMs)) ?? mine.at(-1);
    return {
      ...event,
      nodeId,
      entity: { kind: entity.kind, id: gpu === undefined ? `${PCI}${address}` : (gpu.key.split("/", 1)[0] ?? gpu.key) },
    };
  });
}

const PCI = "pci:";

/** `00000000:3B:00.0`, `0000:3b:00` and `3b:00.0` are one place: domain of four digits, bus and device. */
function pciAddress(text: string): string {
  const parts = text.toLowerCase().replace(/\.\d$/, "").split(":");
  const [device = "", bus = "", domain = "0"] = parts.toReversed();
  return `${domain.replace(/^0+/, "").padStart(4, "0")}:${bus}:${device}`;
}

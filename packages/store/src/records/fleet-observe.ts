import { gpuOf, type SeriesIdentity } from "@trainwatch/core";
import type { Db } from "./db.ts";
import { writeEntities, type SeenEntity } from "./fleet-entities.ts";
import { writeEvents, type NodeEvent } from "./fleet-events.ts";
import { type SeenFact, writeSeenFacts } from "./fleet-facts.ts";
import { lockNodeEvents, lockRecords } from "./fleet-locks.ts";
import { nameKey, nodeAttributeKey, resolveNodes } from "./fleet-nodes.ts";
import { type Replacement, type SeenSlot, yieldSlots } from "./fleet-slots.ts";

/** What a series says of nodes and entities beside its readings. */
export type FleetSighting = Pick<SeriesIdentity, "node" | "entity" | "attributes">;

/** Tells what was seen at a time; see FleetRecords.observe. Inside a transaction. */
export async function observe(db: Db, seen: readonly FleetSighting[], seenAtMs: number): Promise<void> {
  await lockRecords(db);
  const nodes = await resolveNodes(
    db,
    seen.flatMap(({ node }) => node ?? []),
    seenAtMs,
  );
  const nodeOf = ({ node }: FleetSighting): number | null => (node === null ? null : (nodes.get(nameKey(node)) ?? null));
  const entities = seen.flatMap((sighting): SeenEntity[] =>
    sighting.entity === null ? [] : [{ ...sighting.entity, nodeId: nodeOf(sighting) }],
  );
  const before = await writeEntities(db, entities, seenAtMs);
  const facts = seen.flatMap((sighting) => factsOf(sighting, nodeOf(sighting)));
  const news = await writeSeenFacts(db, facts, seenAtMs);
  const replaced = await yieldSlots(db, slotsOf(news, entities), before, seenAtMs);
  if (replaced.length === 0) return;
  await lockNodeEvents(
    db,
    replaced.map(({ nodeId }) => nodeId),
  );
  await writeEvents(
    db,
    replaced.map((each) => replacedEvent(each, seenAtMs)),
    false,
  );
}

/** Attributes of a link are its GPU's. */
function factsOf({ entity, attributes }: FleetSighting, nodeId: number | null): readonly SeenFact[] {
  if (entity === null || (entity.kind !== "gpu" && entity.kind !== "link")) return [];
  const of = { kind: "gpu", key: entity.kind === "link" ? gpuOf(entity.id) : entity.id };
  const place = nodeId === null ? [] : [{ name: "node", value: nodeAttributeKey(nodeId) }];
  return [...place, ...attributes].map((fact) => ({ ...of, ...fact }));
}

/** GPUs that have an index since this sighting. */
function slotsOf(news: readonly SeenFact[], entities: readonly SeenEntity[]): readonly SeenSlot[] {
  const nodeOf = new Map(entities.flatMap(({ kind, id, nodeId }) => (kind === "gpu" && nodeId !== null ? [[id, nodeId] as const] : [])));
  return news.flatMap(({ key, name, value }) => {
    const nodeId = nodeOf.get(key);
    return name === "index" && nodeId !== undefined ? [{ key, nodeId, index: value }] : [];
  });
}

function replacedEvent({ nodeId, index, gone, came }: Replacement, timeMs: number): NodeEvent {
  const text = `GPU ${index} was replaced: ${came} sits where ${gone} was.`;
  const entity = { kind: "gpu", id: came } as const;
  return { nodeId, timeMs, kind: "gpu-replaced", code: null, subCode: null, severity: "info", entity, text, count: 1, lastTimeMs: null };
}

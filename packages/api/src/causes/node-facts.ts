import { gpuOfFinding, isMemoryXid, nodeOfFinding, type Finding, type FindingPlace, type FleetEventView } from "@trainwatch/core";
import type { KnownFact } from "@trainwatch/decide";
import type { Records } from "@trainwatch/store";

export interface NodeQuestion {
  readonly incidentId: number;
  readonly findings: readonly Finding[];
}

const HOUR_MS = 3_600_000;
/** How far back a memory error speaks of what happens now (detection.md A.6, E.6). */
const LOOK_BACK_MS = 24 * HOUR_MS;
/** Where more nodes are involved none of them is the suspect. */
const MOST_NODES = 8;
const MOST_EVENTS = 500;

/** What is known of the nodes that an incident accuses: errors of their memory of late, and how often they were accused before. */
export async function nodeFacts(records: Records, { incidentId, findings }: NodeQuestion): Promise<readonly KnownFact[]> {
  const accused = accusedNodes(findings);
  if (accused.size > MOST_NODES) return [];
  const facts: KnownFact[] = [];
  for (const [nodeId, { place, gpus, onsetMs }] of accused) {
    const subject = { kind: "node" as const, id: nodeId };
    const error = onsetMs === null ? null : await memoryError(records, nodeId, gpus, onsetMs);
    if (error !== null) facts.push({ fact: "node-memory-error", value: error, subject, place });
    const before = await records.causes.flaggedBefore(nodeId, incidentId);
    if (before > 0) facts.push({ fact: "node-flagged-before", value: before, subject, place });
  }
  return facts;
}

interface Accused {
  readonly place: FindingPlace;
  /** GPUs of the node that are accused themselves; none: the node as a whole. */
  readonly gpus: Set<string>;
  onsetMs: number | null;
}

function accusedNodes(findings: readonly Finding[]): ReadonlyMap<string, Accused> {
  const nodes = new Map<string, Accused>();
  for (const finding of findings) {
    const nodeId = nodeOfFinding(finding);
    if (nodeId === null || finding.severity === "info") continue;
    const held = nodes.get(nodeId) ?? {
      place: finding.place ?? { rank: null, gpuId: null, nodeId, host: null },
      gpus: new Set<string>(),
      onsetMs: null,
    };
    const gpu = gpuOfFinding(finding);
    if (gpu !== null) held.gpus.add(gpu);
    const atMs = finding.onsetTimeMs ?? finding.detectedTimeMs;
    if (atMs !== null) held.onsetMs = Math.min(atMs, held.onsetMs ?? atMs);
    nodes.set(nodeId, held);
  }
  return nodes;
}

/** Hours from the newest error of the node's memory in the day before to the onset; null where there was none. */
async function memoryError(records: Records, nodeId: string, gpus: ReadonlySet<string>, onsetMs: number): Promise<number | null> {
  const row = await records.fleet.nodeRow(nodeId);
  if (row === null) return null;
  const window = { fromMs: onsetMs - LOOK_BACK_MS, toMs: onsetMs + HOUR_MS };
  const { items } = await records.fleet.events({
    nodeId: row,
    entityIds: null,
    kinds: ["xid"],
    ...window,
    limit: MOST_EVENTS,
    cursor: null,
  });
  const error = items.find((event) => isMemoryError(event) && (gpus.size === 0 || event.entity === null || gpus.has(event.entity.id)));
  return error === undefined ? null : Math.max(0, (onsetMs - error.lastTimeMs) / HOUR_MS);
}

function isMemoryError({ code }: FleetEventView): boolean {
  return code !== null && isMemoryXid(code);
}

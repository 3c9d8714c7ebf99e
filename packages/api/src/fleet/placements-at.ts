import { hostName, readAssignment, type Assignment, type RankPlacement } from "@trainwatch/core";
import type { StoredAssignment } from "@trainwatch/store";
import { nodeId, type LayoutCore } from "./layout-core.ts";
import { gpuFinder } from "./ranks-at.ts";

/**
 * Where the ranks of one attempt are as at a time, by rank. A rank that was moved is where it was told to be last. Null fields are what nobody has told: a host
 * stands where its node has never sent anything.
 */
export function placementsAt(
  layout: LayoutCore,
  assignments: readonly StoredAssignment[],
  of: { readonly runId: number; readonly attempt: string },
  atMs: number,
): readonly RankPlacement[] {
  const newest = new Map<number, { readonly facts: Assignment; readonly fromMs: number }>();
  for (const stored of assignments) {
    if (stored.runId !== of.runId || stored.attempt !== of.attempt) continue;
    const facts = readAssignment(stored.facts);
    const fromMs = facts?.fromMs ?? stored.startedAtMs ?? Number.NEGATIVE_INFINITY;
    if (facts === null || fromMs > atMs) continue;
    const known = newest.get(facts.rank);
    if (known === undefined || fromMs >= known.fromMs) newest.set(facts.rank, { facts, fromMs });
  }
  const idAt = gpuFinder(layout.nodes, layout.gpus);
  return [...newest.values()]
    .map(({ facts }) => placementOf(layout, facts, facts.gpuUuid ?? idAt(facts.node, facts.gpuIndex)))
    .sort((a, b) => a.rank - b.rank);
}

function placementOf(layout: LayoutCore, { rank, node: told, dp, tp, pp, ep }: Assignment, gpuId: string | null): RankPlacement {
  const row = gpuId === null ? undefined : layout.rowsOf(gpuId)[0];
  const named = told === null ? undefined : layout.nodes.find(({ machineId, aliases }) => machineId === told || isAmong(aliases, told));
  const node = row === undefined ? named : layout.nodes[layout.gpu.node[row] ?? -1];
  return { rank, dp, tp, pp, ep, gpuId, nodeId: node === undefined ? null : nodeId(node), host: node?.host ?? told };
}

/** Names from before hosts were lowered may still have their capitals. */
function isAmong(aliases: readonly string[], told: string): boolean {
  return aliases.includes(told) || aliases.includes(hostName(told));
}

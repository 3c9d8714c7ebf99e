import { hostName, matchAssignmentRule, readAssignment, type AssignmentRule } from "@trainwatch/core";
import type { PlacedGpu, PlacedNode, StoredAssignment } from "@trainwatch/store";

/** What a GPU runs. */
export interface GpuRank {
  readonly runId: number;
  readonly run: string;
  readonly rank: number | null;
  /** Pipeline stage. */
  readonly stage: number | null;
  /** Data-parallel, tensor and expert coordinates; null where nobody has told. */
  readonly dp: number | null;
  readonly tp: number | null;
  readonly ep: number | null;
}

export interface RankSources {
  readonly nodes: readonly PlacedNode[];
  readonly gpus: readonly PlacedGpu[];
  readonly assignments: readonly StoredAssignment[];
}

interface Placed extends GpuRank {
  readonly gpu: string;
  readonly ordinal: number;
  readonly fromMs: number;
}

/**
 * Which rank each GPU runs at a time, by entity id. Of a run the newest attempt counts that has an assignment at that time; where two runs claim
 * one GPU, the one that began later.
 */
export function ranksAt({ nodes, gpus, assignments }: RankSources, atMs: number): ReadonlyMap<string, GpuRank> {
  const idAt = gpuFinder(nodes, gpus);
  const placed = assignments.flatMap((stored): Placed[] => {
    const facts = readAssignment(stored.facts);
    if (facts === null) return [];
    const fromMs = facts.fromMs ?? stored.startedAtMs ?? Number.NEGATIVE_INFINITY;
    const toMs = facts.toMs ?? stored.endedAtMs ?? Number.POSITIVE_INFINITY;
    if (atMs < fromMs || atMs >= toMs) return [];
    const gpu = facts.gpuUuid ?? idAt(facts.node, facts.gpuIndex);
    if (gpu === null) return [];
    const { rank, pp: stage, dp, tp, ep } = facts;
    return [{ gpu, runId: stored.runId, run: stored.run, rank, stage, dp, tp, ep, ordinal: stored.ordinal, fromMs }];
  });
  const newest = new Map<number, number>();
  for (const { runId, ordinal } of placed) newest.set(runId, Math.max(ordinal, newest.get(runId) ?? 0));
  const ranks = new Map<string, Placed>();
  for (const each of placed) {
    if (each.ordinal < (newest.get(each.runId) ?? 0)) continue;
    const known = ranks.get(each.gpu);
    if (known === undefined || each.fromMs >= known.fromMs) ranks.set(each.gpu, each);
  }
  return ranks;
}

/** The GPU of a node, by any of the node's names, and index. */
export function gpuFinder(
  nodes: readonly PlacedNode[],
  gpus: readonly PlacedGpu[],
): (node: string | null, index: number | null) => string | null {
  const rows = new Map<string, number>();
  for (const { id, machineId, aliases } of nodes)
    for (const name of [...aliases, ...(machineId === null ? [] : [machineId])]) rows.set(name, id);
  // A host that is called so now beats one that was.
  for (const { id, host } of nodes) rows.set(host, id);
  const ids = new Map(
    gpus.flatMap(({ id, nodeId, index }) => (index === null || id.includes("/") ? [] : [[`${nodeId} ${index}`, id] as const])),
  );
  const rowOf = (node: string): number => rows.get(node) ?? rows.get(hostName(node)) ?? -1;
  return (node, index) => (node === null || index === null ? null : (ids.get(`${rowOf(node)} ${index}`) ?? null));
}

/** A label's value on a GPU. */
export interface GpuLabel {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** A label's value that a rule has made something of. */
interface RuleHit {
  readonly key: string;
  readonly run: string;
  readonly rank: number | null;
}

/** What the first rule that matches makes of each label: Slurm's job or a Kubernetes pod. */
export function hitsOfRules(rules: readonly AssignmentRule[], labels: readonly GpuLabel[], gpus: readonly PlacedGpu[]): readonly RuleHit[] {
  const indexOf = new Map(gpus.map(({ id, index }) => [id, index]));
  const hits = new Map<string, RuleHit>();
  for (const rule of rules) {
    for (const { key, name, value } of labels) {
      if (rule.label !== name || hits.has(key)) continue;
      const match = matchAssignmentRule(rule, value, indexOf.get(key) ?? null);
      if (match !== null) hits.set(key, { key, ...match });
    }
  }
  return [...hits.values()];
}

/** Ranks by the runs that hits name; a run that nobody watches tells nothing. */
export function ranksOfHits(
  hits: readonly RuleHit[],
  runs: readonly { readonly id: number; readonly name: string; readonly fullName: string }[],
): ReadonlyMap<string, GpuRank> {
  // Runs come newest first: of two projects' runs of one name the newest is meant, and a full name means that run.
  const byName = new Map([...runs].reverse().map((run) => [run.name, run]));
  const byFullName = new Map(runs.map((run) => [run.fullName, run]));
  return new Map(
    hits.flatMap(({ key, run: name, rank }) => {
      const run = byFullName.get(name) ?? byName.get(name);
      return run === undefined
        ? []
        : [[key, { runId: run.id, run: run.fullName, rank, stage: null, dp: null, tp: null, ep: null }] as const];
    }),
  );
}

import type { FindingPlace, RankPlacement } from "@trainwatch/core";
import { cohortsOf } from "./cohorts.ts";
import type { Cohorts } from "./cohorts.ts";

/** The layout as far as it is told, with what is derived from it. Cohorts are made anew when it changes or a larger rank appears. */
export interface RankLayout {
  place(placements: readonly RankPlacement[]): void;
  /** @param ranks the largest rank seen plus one */
  cohorts(ranks: number): Cohorts;
  placement(rank: number): RankPlacement | null;
  /** Ranks on a node, ascending. */
  onNode(nodeId: string): readonly number[];
  /** Ranks of each replica that all span so many ranks and nodes, or none at all. */
  replicas(leastRanks: number, leastNodes: number): readonly (readonly number[])[];
  placements(): ReadonlyMap<number, RankPlacement>;
  /** Where a rank is, for a finding. */
  placeOf(rank: number): FindingPlace;
}

/** @param independent as in {@link cohortsOf} */
export function createRankLayout(first: readonly RankPlacement[], independent: boolean): RankLayout {
  let byRank = new Map<number, RankPlacement>();
  let byNode = new Map<string, number[]>();
  let cohorts: Cohorts | null = null;
  let replicas: readonly (readonly number[])[] | null = null;
  const place = (placements: readonly RankPlacement[]): void => {
    byRank = new Map(placements.map((placement) => [placement.rank, placement]));
    byNode = new Map();
    for (const { rank, nodeId } of byRank.values()) {
      if (nodeId === null) continue;
      const held = byNode.get(nodeId);
      if (held === undefined) byNode.set(nodeId, [rank]);
      else held.push(rank);
    }
    for (const ranks of byNode.values()) ranks.sort((a, b) => a - b);
    cohorts = null;
    replicas = null;
  };
  place(first);
  return {
    place,
    cohorts(ranks) {
      if (cohorts === null || cohorts.of.length < ranks) cohorts = cohortsOf([...byRank.values()], ranks, independent);
      return cohorts;
    },
    placement: (rank) => byRank.get(rank) ?? null,
    onNode: (nodeId) => byNode.get(nodeId) ?? [],
    replicas(leastRanks, leastNodes) {
      replicas ??= replicasOf(byRank.values(), leastRanks, leastNodes);
      return replicas;
    },
    placements: () => byRank,
    placeOf(rank) {
      const known = byRank.get(rank);
      return { rank, gpuId: known?.gpuId ?? null, nodeId: known?.nodeId ?? null, host: known?.host ?? null };
    },
  };
}

function replicasOf(placements: Iterable<RankPlacement>, leastRanks: number, leastNodes: number): readonly (readonly number[])[] {
  const byReplica = new Map<number, { readonly ranks: number[]; readonly nodes: Set<string> }>();
  for (const { rank, dp, nodeId } of placements) {
    if (dp === null || nodeId === null) continue;
    const replica = byReplica.get(dp) ?? { ranks: [], nodes: new Set<string>() };
    byReplica.set(dp, replica);
    replica.ranks.push(rank);
    replica.nodes.add(nodeId);
  }
  const all = [...byReplica.values()];
  return all.every(({ ranks, nodes }) => ranks.length >= leastRanks && nodes.size >= leastNodes) ? all.map(({ ranks }) => ranks) : [];
}

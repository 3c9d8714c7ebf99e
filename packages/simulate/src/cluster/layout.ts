/** How a model is parted over its ranks. The number of replicas follows: ranks / (tp · pp). */
export interface ParallelLayout {
  readonly tp: number;
  readonly pp: number;
  /** Expert groups among the replicas; 1 where the model has no experts. */
  readonly ep: number;
}

export interface RankCoordinates {
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
  readonly ep: number;
}

/** Megatron's order: tensor groups within a node, then data-parallel replicas, then pipeline stages; expert groups take turns among replicas. */
export function coordinatesOf({ tp, pp, ep }: ParallelLayout, ranks: number, rank: number): RankCoordinates {
  const stageRanks = ranks / pp;
  const dp = Math.floor((rank % stageRanks) / tp);
  return { tp: rank % tp, dp, pp: Math.floor(rank / stageRanks), ep: dp % ep };
}

export function replicasOf({ tp, pp }: ParallelLayout, ranks: number): number {
  return ranks / (tp * pp);
}

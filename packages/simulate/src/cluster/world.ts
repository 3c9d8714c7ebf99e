import { bell, keyOf } from "../fleet/noise.ts";
import type { ClusterPlan } from "./cluster-plan.ts";
import { coordinatesOf, replicasOf } from "./layout.ts";

/** What does not change about the ranks of a cluster, as columns by rank. */
export interface ClusterWorld {
  readonly plan: ClusterPlan;
  readonly replicas: number;
  /** Replica, stage and tensor rank. */
  readonly dp: Int32Array;
  readonly pp: Int32Array;
  readonly tp: Int32Array;
  readonly node: Int32Array;
  /** Factor of its time that silicon and stage make. */
  readonly pace: Float64Array;
  /** Standing offsets, in units of the noise of one step. */
  readonly lossOffset: Float64Array;
  readonly gradOffset: Float64Array;
  /** What its node's clock is off by, ms. */
  readonly clockMs: Float64Array;
}

/** Silicon differs by so much; the first stage embeds, the last one has the vocabulary. */
const SILICON = 0.004;
const FIRST_STAGE = 1.01;
const LAST_STAGE = 1.03;

export function clusterWorld(plan: ClusterPlan): ClusterWorld {
  const { ranks, layout, gpusPerNode, seed } = plan;
  const world: ClusterWorld = {
    plan,
    replicas: replicasOf(layout, ranks),
    dp: new Int32Array(ranks),
    pp: new Int32Array(ranks),
    tp: new Int32Array(ranks),
    node: new Int32Array(ranks),
    pace: new Float64Array(ranks),
    lossOffset: new Float64Array(ranks),
    gradOffset: new Float64Array(ranks),
    clockMs: new Float64Array(ranks),
  };
  for (let rank = 0; rank < ranks; rank++) {
    const { dp, tp, pp } = coordinatesOf(layout, ranks, rank);
    const node = Math.floor(rank / gpusPerNode);
    const key = keyOf(seed, 0x4a4b, rank);
    world.dp[rank] = dp;
    world.tp[rank] = tp;
    world.pp[rank] = pp;
    world.node[rank] = node;
    world.pace[rank] = stagePace(layout.pp, pp) * Math.exp(SILICON * bell(key, 1));
    world.lossOffset[rank] = plan.noise.offset * bell(key, 2);
    world.gradOffset[rank] = plan.noise.offset * bell(key, 3);
    world.clockMs[rank] = plan.clockSkewMs * bell(keyOf(seed, 0x4a4c, node), 1);
  }
  return world;
}

function stagePace(stages: number, stage: number): number {
  if (stages === 1) return 1;
  return stage === 0 ? FIRST_STAGE : stage === stages - 1 ? LAST_STAGE : 1;
}

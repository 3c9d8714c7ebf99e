import type { FleetPlan } from "./fleet-plan.ts";
import { bootAt } from "./inventory.ts";
import type { NodeIdentity } from "./inventory.ts";

/** Which rank runs on which GPU: a line of an assignment file. */
export interface RankAssignment {
  readonly rank: number;
  /** Machine id. */
  readonly node: string;
  readonly gpuUuid: string;
  readonly gpuIndex: number;
  readonly dp: number;
  readonly tp: number;
  readonly pp: number;
  /** Epoch ms. */
  readonly from: number;
}

/** Ranks in Megatron's order: tensor groups within a node, then data-parallel replicas, then pipeline stages. */
export function rankAssignments(
  { run, gpusPerNode }: FleetPlan,
  nodes: readonly NodeIdentity[],
  fromMs: number,
): readonly RankAssignment[] {
  if (run === null) return [];
  const { tensorParallel, pipelineParallel } = run;
  const stageRanks = (run.nodes * gpusPerNode) / pipelineParallel;
  return nodes.slice(0, run.nodes).flatMap((node, place) => {
    const { slots, chips } = bootAt(node, fromMs);
    return slots.map((slot, gpuIndex): RankAssignment => {
      const rank = place * gpusPerNode + gpuIndex;
      return {
        rank,
        node: node.machineId,
        gpuUuid: chips[slot]?.uuid ?? "",
        gpuIndex,
        tp: rank % tensorParallel,
        dp: Math.floor((rank % stageRanks) / tensorParallel),
        pp: Math.floor(rank / stageRanks),
        from: fromMs,
      };
    });
  });
}

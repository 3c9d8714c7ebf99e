import { coordinatesOf } from "../cluster/layout.ts";
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
  readonly ep: number;
  /** Epoch ms. */
  readonly from: number;
}

export function rankAssignments(
  { run, gpusPerNode }: FleetPlan,
  nodes: readonly NodeIdentity[],
  fromMs: number,
): readonly RankAssignment[] {
  if (run === null) return [];
  const { tensorParallel: tp, pipelineParallel: pp, expertParallel: ep } = run;
  const ranks = run.nodes * gpusPerNode;
  return nodes.slice(0, run.nodes).flatMap((node, place) => {
    const { slots, chips } = bootAt(node, fromMs);
    return slots.map((slot, gpuIndex): RankAssignment => {
      const rank = place * gpusPerNode + gpuIndex;
      return {
        rank,
        node: node.machineId,
        gpuUuid: chips[slot]?.uuid ?? "",
        gpuIndex,
        ...coordinatesOf({ tp, pp, ep }, ranks, rank),
        from: fromMs,
      };
    });
  });
}

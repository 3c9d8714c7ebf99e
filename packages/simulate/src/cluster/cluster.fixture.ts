import type { ClusterEvent, ClusterStep, RankMetric } from "./cluster-event.ts";
import type { ClusterFault } from "./cluster-fault.ts";
import type { ClusterInput } from "./cluster-plan.ts";
import { simulateCluster } from "./simulate-cluster.ts";
import type { SimulatedCluster } from "./simulate-cluster.ts";

export const STEPS = 120;

/** 8 nodes: 2 stages of 4 replicas of 8 tensor ranks. */
export function cluster(faults: readonly ClusterFault[] = [], over: Partial<ClusterInput> = {}): SimulatedCluster {
  return simulateCluster({
    seed: 5,
    nodes: 8,
    layout: { tp: 8, pp: 2, ep: 2 },
    hashEvery: 10,
    faults,
    ...over,
    run: { steps: STEPS, stepTimeS: 4, checkpointEvery: 25, ...over.run },
  });
}

export function stepsOf({ events }: SimulatedCluster): readonly ClusterStep[] {
  return [...events()].filter((event) => event.kind === "step");
}

export function eventsOf<K extends ClusterEvent["kind"]>(
  { events }: SimulatedCluster,
  kind: K,
): readonly Extract<ClusterEvent, { readonly kind: K }>[] {
  return [...events()].filter((event): event is Extract<ClusterEvent, { readonly kind: K }> => event.kind === kind);
}

export function column({ ranks }: ClusterStep, metric: RankMetric): Float64Array {
  const values = ranks.columns.get(metric);
  if (values === undefined) throw new Error(`the step has no ${metric}`);
  return values;
}

/** Ranks whose value differs between two runs at one step, by metric. */
export function differences(one: ClusterStep, other: ClusterStep): Partial<Record<RankMetric, readonly number[]>> {
  return Object.fromEntries(
    [...one.ranks.columns].flatMap(([metric, values]) => {
      const own = [...values.keys()].filter((rank) => !Object.is(values[rank], other.ranks.columns.get(metric)?.[rank]));
      return own.length === 0 ? [] : [[metric, own]];
    }),
  );
}

import { nodeIdentity } from "../fleet/inventory.ts";
import { simulateFleet } from "../fleet/simulate-fleet.ts";
import type { SimulatedFleet } from "../fleet/simulate-fleet.ts";
import type { RankAssignment } from "../fleet/rank-assignments.ts";
import type { ClusterEvent } from "./cluster-event.ts";
import { clusterClock, clusterEvents } from "./cluster-events.ts";
import { fleetFaultsOf } from "./cluster-fleet-faults.ts";
import { completeClusterPlan } from "./cluster-plan.ts";
import type { ClusterInput, ClusterPlan } from "./cluster-plan.ts";
import { truthOfFault } from "./cluster-truth.ts";
import type { ClusterTruth } from "./cluster-truth.ts";
import { faultClock } from "./fault-clock.ts";
import type { FaultClock } from "./fault-clock.ts";
import { paceEvents } from "./pace-events.ts";
import { placeFaults } from "./placed-fault.ts";
import type { PlacedFault } from "./placed-fault.ts";
import { endsAttempt } from "./stops.ts";
import { clusterWorld } from "./world.ts";
import type { ClusterWorld } from "./world.ts";

/** One run on one cluster: its ranks, its nodes and what goes wrong with both, on one clock. */
export interface SimulatedCluster {
  readonly plan: ClusterPlan;
  /** One a fault, in the plan's order. */
  readonly truth: readonly ClusterTruth[];
  /** The nodes with the same job, at any time: exporters, kernel logs, fields by node. */
  readonly fleet: SimulatedFleet;
  /** Which rank sits where from a time on, with its place in the layout. */
  assignments(fromMs: number): readonly RankAssignment[];
  /** From the first step to the last, in order of time; holds one step. Each call begins anew. */
  events(): Generator<ClusterEvent, void, undefined>;
  /** When a step is first done, epoch ms. @throws RangeError where the run does not get so far */
  endOf(step: number): number;
}

/**
 * A seeded run on a cluster. Steps take as long as their slowest rank; faults act on the ranks, the run, the nodes and their logs alike.
 * @throws AppError `bad-request` naming what cannot be simulated
 */
export function simulateCluster(input: ClusterInput): SimulatedCluster {
  const plan = completeClusterPlan(input);
  const world = clusterWorld(plan);
  const placed = placeFaults(plan);
  const clock = settledClock(world, placed);
  const fleet = simulateFleet({
    seed: plan.seed,
    nodes: plan.nodes,
    gpusPerNode: plan.gpusPerNode,
    startMs: plan.run.startTimeMs,
    run: {
      plan: plan.run,
      events: () => paceEvents(world),
      tensorParallel: plan.layout.tp,
      pipelineParallel: plan.layout.pp,
      expertParallel: plan.layout.ep,
    },
    faults: [
      ...plan.fleetFaults,
      ...placed.flatMap((fault) => {
        const span = clock.spans.get(fault.index);
        return span === undefined ? [] : fleetFaultsOf(fault, span);
      }),
    ],
  });
  const identities = Array.from({ length: plan.nodes }, (_, index) => nodeIdentity(fleet.plan, index));
  return {
    plan,
    truth: placed.map((fault) => truthOfFault(fault, clock, identities, plan.gpusPerNode)),
    fleet,
    assignments: (fromMs) => fleet.assignments(fromMs),
    events: () => clusterEvents(world),
    endOf(step) {
      for (const event of clusterClock(world, faultClock(placed, plan.run.startTimeMs)))
        if (event.kind === "step" && event.moment.step === step) return event.endMs;
      throw new RangeError(`the run has no step ${step}`);
    },
  };
}

/** The clock of the run as far as it has to be known: until every fault has come, and gone if it goes. */
function settledClock(world: ClusterWorld, placed: readonly PlacedFault[]): Pick<FaultClock, "spans"> {
  const clock = faultClock(placed, world.plan.run.startTimeMs);
  if (placed.length === 0) return clock;
  const attempts = 1 + placed.filter(endsAttempt).length;
  let begun = 0;
  for (const event of clusterClock(world, clock)) {
    if (event.kind === "start") begun++;
    if (begun === attempts && clock.isSettled()) break;
  }
  return clock;
}

import type { PaceEvent } from "../fleet/job-phase.ts";
import { clusterClock } from "./cluster-events.ts";
import { faultClock } from "./fault-clock.ts";
import { placeFaults } from "./placed-fault.ts";
import type { ClusterWorld } from "./world.ts";

/** The run as its GPUs notice it. */
export function* paceEvents(world: ClusterWorld): Generator<PaceEvent, void, undefined> {
  const clock = faultClock(placeFaults(world.plan), world.plan.run.startTimeMs);
  for (const event of clusterClock(world, clock)) {
    switch (event.kind) {
      case "start":
        yield { kind: "start", timeMs: event.moment.startMs };
        break;
      case "step":
        yield { kind: "point", timeMs: event.endMs, values: { step_time: (event.endMs - event.moment.startMs) / 1000 } };
        break;
      case "saving":
        yield { kind: "checkpoint", timeMs: event.startedMs };
        break;
      case "checkpoint":
        break;
      default:
        yield { kind: "end", timeMs: event.endMs };
    }
  }
}

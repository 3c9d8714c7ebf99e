import { fleetNulls, fleetNullsHold, fleetRunLengths } from "./fleet-nulls.ts";
import { fleetCost } from "./fleet-cost.ts";
import { FLEET_GOALS, fleetInjection, fleetInjectionHolds } from "./fleet-injection.ts";
import { goal } from "./part.ts";
import type { BenchOptions, Part } from "./part.ts";

/** Detectors of the fleet on synthetic days. */
export function fleetPart({ full }: BenchOptions): Part {
  const nulls = fleetNulls(full ? { days: 3, seeds: [11, 12, 13] } : { nodes: 16, days: 0.5 });
  const injected = fleetInjection({ seeds: full ? 8 : 2 });
  const cost = fleetCost();
  return {
    sections: [
      {
        title: "Fleet detectors on fault-free days",
        text: `${nulls.gpuDays} GPU-days with job ends, checkpoints, bursts and the slow counts of healthy links; at most ${nulls.atMostADay} pages and tickets a day on 16,384 GPUs (95 %).`,
        rows: nulls.lines,
      },
      {
        title: "Faults put into a synthetic fleet",
        text: `${injected.injected} faults on 32 nodes: precision ${injected.precision.toFixed(3)} (95 % from ${injected["precision, 95 % from"].toFixed(3)}), recall ${injected.recall.toFixed(3)} (from ${injected["recall, 95 % from"].toFixed(3)}), median delay ${injected.medianDelayS.toFixed(1)} s.`,
        rows: injected.lines,
      },
      {
        title: "What the sums of the fleet detectors do by themselves",
        text: "A day on 16,384 GPUs, by the exact Markov chain or by events.",
        rows: fleetRunLengths(full ? 1 : 0.01),
      },
      {
        title: "Cost of the fleet detectors",
        text: `CPU time a tick of 10 s on one thread: ${cost.medianMsATick} ms at the median and ${cost.longestMsATick} ms at most for ${cost.gpus.toLocaleString("en-US")} GPUs and ${cost.readings.toLocaleString("en-US")} readings; ${(cost.stateBytes / 1e6).toFixed(1)} MB of state.`,
        rows: cost.lines,
      },
    ],
    goals: [
      goal(
        `faulty node: precision ≥ ${FLEET_GOALS.precision}, recall ≥ ${FLEET_GOALS.recall}, within ${FLEET_GOALS.medianDelayS} s; lost node within 30 s in ${FLEET_GOALS.lostNodeWithin30s * 100} %`,
        `precision ${injected.precision.toFixed(3)}, recall ${injected.recall.toFixed(3)}, median ${injected.medianDelayS.toFixed(1)} s, lost nodes within 30 s: ${(100 * injected.lostNodeWithin30s).toFixed(0)} %`,
        fleetInjectionHolds(injected),
      ),
      goal("a tick of 16,384 GPUs costs less than a tenth of it", `${cost.medianMsATick} ms of 10 s`, cost.medianMsATick < 1_000),
      goal(
        "no page or ticket on fault-free days of the fleet",
        `${nulls.alarms.length} in ${nulls.gpuDays} GPU-days`,
        fleetNullsHold(nulls),
      ),
    ],
  };
}

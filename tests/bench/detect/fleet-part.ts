import { fleetNulls, fleetNullsHold, fleetRunLengths } from "./fleet-nulls.ts";
import { goal } from "./part.ts";
import type { BenchOptions, Part } from "./part.ts";

/** Detectors of the fleet on synthetic days. */
export function fleetPart({ full }: BenchOptions): Part {
  const nulls = fleetNulls(full ? { days: 3, seeds: [11, 12, 13] } : { nodes: 16, days: 0.5 });
  return {
    sections: [
      {
        title: "Fleet detectors on fault-free days",
        text: `${nulls.gpuDays} GPU-days with job ends, checkpoints, bursts and the slow counts of healthy links; at most ${nulls.atMostADay} pages and tickets a day on 16,384 GPUs (95 %).`,
        rows: nulls.lines,
      },
      {
        title: "What the sums of the fleet detectors do by themselves",
        text: "A day on 16,384 GPUs, by the exact Markov chain or by events.",
        rows: fleetRunLengths(full ? 200_000 : 20_000),
      },
    ],
    goals: [
      goal(
        "2",
        "no page or ticket on fault-free days of the fleet",
        `${nulls.alarms.length} in ${nulls.gpuDays} GPU-days`,
        fleetNullsHold(nulls),
      ),
    ],
  };
}

import type { Sample } from "@trainwatch/core";
import { DETECTORS, monitorOf } from "@trainwatch/detect";
import { normalDraw, seededRandom } from "@trainwatch/stats";

const POINTS = 20_000;

export interface CostLine extends Readonly<Record<string, string | number>> {
  readonly detector: string;
  readonly "ns a sample": number;
  readonly "state, bytes": number;
}

/** CPU time, so that a busy machine does not count, over every metric that the detector reads; the second of two passes. */
export function detectorCost(): readonly CostLine[] {
  return DETECTORS.map((entry) => {
    const samples = entry.metrics.flatMap((metric, index) => noisy(metric, index));
    let nsASample = 0;
    let bytes = 0;
    for (let pass = 0; pass < 2; pass++) {
      const monitor = monitorOf([entry], { run: "bench/cost", attempt: "a1" });
      const before = process.cpuUsage();
      monitor.observe(samples);
      const { user, system } = process.cpuUsage(before);
      nsASample = Math.round(((user + system) * 1_000) / samples.length);
      bytes = JSON.stringify(monitor.state()).length;
    }
    return { detector: entry.id, "ns a sample": nsASample, "state, bytes": bytes };
  });
}

function noisy(metric: string, seed: number): Sample[] {
  const random = seededRandom(seed);
  return Array.from({ length: POINTS }, (_, step) => ({
    metric,
    step,
    timeMs: step * 1_000,
    value: 2 * Math.exp(0.03 * normalDraw(random)),
  }));
}

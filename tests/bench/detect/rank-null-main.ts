import { newWatch, RANK_DETECTORS, rankMonitorOf, type RankSample } from "@trainwatch/detect";
import type { Finding } from "@trainwatch/core";
import { heavyNoise, layoutOf, softNoise } from "./rank-noise.ts";

/** One process' part of the null. */
export interface NullPart {
  readonly seed: number;
  readonly ranks: number;
  readonly steps: number;
  /** Complete rows straight to the detectors, or every sample on its own through a whole watch. */
  readonly through: "rows" | "samples";
}

export interface NullAlarm {
  readonly detector: string;
  readonly severity: Finding["severity"];
  readonly step: number;
  readonly summary: string;
}

/** By metric: the level, and sigma on the log scale of what the batch has in common, of standing offsets and of the noise of each rank. */
const METRICS = [
  { metric: "loss", level: 2, common: 0.05, offset: 0.02, noise: 0.02 },
  { metric: "grad_norm", level: 1, common: 0.2, offset: 0.1, noise: 0.1 },
  { metric: "compute_time", level: 4, common: 0.02, offset: 0.01, noise: 0.02 },
  { metric: "communication_time", level: 1, common: 0.05, offset: 0.05, noise: 0.1 },
  { metric: "data_time", level: 0.2, common: 0.1, offset: 0.1, noise: 0.1 },
  { metric: "step_time", level: 5, common: 0.01, offset: 0, noise: 0.002 },
] as const;

function runPart({ seed, ranks, steps, through }: NullPart): NullAlarm[] {
  const placements = layoutOf({ dp: Math.max(8, ranks / 128), tp: 8, pp: ranks >= 1_024 ? 16 : Math.max(1, ranks / 64) });
  const context = { run: "bench/null", attempt: "a1" };
  const monitor = rankMonitorOf(RANK_DETECTORS, { ...context, placements });
  const watch = newWatch(context, placements);
  const noise = heavyNoise(seed);
  const soft = softNoise(seed + 1);
  const labels = placements.map(({ rank }) => String(rank));
  const offsets = METRICS.map(({ offset }) => Float64Array.from(placements, () => offset * soft()));
  const has = new Uint8Array(placements.length).fill(1);
  const ofRanks = new Set<string>(RANK_DETECTORS.map(({ id }) => id));
  const alarms = new Map<string, NullAlarm>();
  const judge = (findings: readonly Finding[], step: number): void => {
    for (const { id, detector, severity, summary } of findings)
      if (severity !== "info" && ofRanks.has(detector)) alarms.set(id, { detector, severity, step, summary });
  };
  for (let step = 0; step < steps; step++) {
    const samples: RankSample[] = [];
    for (const [index, { metric, level, common, noise: width }] of METRICS.entries()) {
      const own = offsets[index] ?? new Float64Array();
      const centre = Math.log(level) + common * soft();
      // A row of its own each step: a detector may hold on to it.
      const values = new Float64Array(placements.length);
      for (let rank = 0; rank < values.length; rank++) values[rank] = Math.exp(centre + (own[rank] ?? 0) + width * noise());
      const timeMs = step * 10_000;
      if (through === "rows") judge(monitor.observe({ metric, step, timeMs, values, has }), step);
      else for (const [rank, value] of values.entries()) samples.push({ metric, rank: labels[rank] ?? "", step, timeMs, value });
    }
    if (through === "samples") judge(watch.observe(samples), step);
  }
  return [...alarms.values()];
}

const part: NullPart = JSON.parse(process.argv[2] ?? "");
process.send?.(runPart(part));

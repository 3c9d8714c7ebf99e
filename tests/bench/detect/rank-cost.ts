import type { RankPlacement } from "@trainwatch/core";
import { newWatch, RANK_DETECTORS, rankMonitorOf, type RankSample, type RankStep } from "@trainwatch/detect";
import { median } from "@trainwatch/stats";
import { heavyNoise, layoutOf } from "./rank-noise.ts";

/** detection.md L.15: milliseconds a step on one thread, all rank detectors together. */
export const RANK_COST_GOALS: ReadonlyMap<number, number> = new Map([
  [16_384, 25],
  [131_072, 200],
]);

const METRICS = ["loss", "grad_norm", "compute_time", "communication_time", "data_time", "step_time"] as const;
/** Steps that are made once and read in turn: what is measured is the reading. */
const MADE = 8;
/** Steps before the clock starts: ranks are judged from their 65th step on. */
const BEFORE = 72;

export interface RankCostLine extends Readonly<Record<string, string | number>> {
  readonly ranks: number;
  readonly metrics: number;
  /** CPU time of all rank detectors over complete rows, at the median and at the worst of the steps. */
  readonly "ms a step": number;
  readonly "worst ms": number;
  /** The same and all else that a watch does with the samples: brought together to rows, averaged for the run, judged as a run. */
  readonly "ms a step, from samples": number;
  readonly "state, MB": number;
  readonly "ms to store": number;
}

/** @param steps over which the cost is taken, at each size */
export function rankCost(steps = 40, sizes: readonly number[] = [...RANK_COST_GOALS.keys()]): readonly RankCostLine[] {
  return sizes.map((ranks) => {
    const placements = layoutOf({ dp: ranks / 128, tp: 8, pp: 16 });
    const rows = rowsOf(placements);
    const monitor = rankMonitorOf(RANK_DETECTORS, { run: "bench/cost", attempt: "a1", placements });
    const times: number[] = [];
    for (let step = 0; step < BEFORE + steps; step++) {
      const now = rows[step % MADE] ?? [];
      const started = process.cpuUsage();
      for (const row of now) monitor.observe({ ...row, step, timeMs: step * 10_000 });
      if (step >= BEFORE) times.push(cpuMs(started));
    }
    const storing = process.cpuUsage();
    const state = JSON.stringify(monitor.state());
    const storeMs = cpuMs(storing);
    return {
      ranks,
      metrics: METRICS.length,
      "ms a step": Number(median(times).toFixed(1)),
      "worst ms": Number(Math.max(...times).toFixed(1)),
      "ms a step, from samples": Number(fromSamples(placements, rows, Math.max(4, steps / 4)).toFixed(1)),
      "state, MB": Number((state.length / 1e6).toFixed(1)),
      "ms to store": Number(storeMs.toFixed(0)),
    };
  });
}

export function rankCostMet(lines: readonly RankCostLine[]): boolean {
  return lines.every((line) => line["ms a step"] < (RANK_COST_GOALS.get(line.ranks) ?? Number.POSITIVE_INFINITY));
}

function rowsOf(placements: readonly RankPlacement[]): readonly (readonly RankStep[])[] {
  const noise = heavyNoise(5);
  const has = new Uint8Array(placements.length).fill(1);
  return Array.from({ length: MADE }, (_, step) =>
    METRICS.map((metric) => ({
      metric,
      step,
      timeMs: null,
      has,
      values: Float64Array.from(placements, () => 2 * Math.exp(0.02 * noise())),
    })),
  );
}

/** Steps are few: what costs here is one object for each sample. */
function fromSamples(placements: readonly RankPlacement[], rows: readonly (readonly RankStep[])[], steps: number): number {
  const watch = newWatch({ run: "bench/cost", attempt: "a1" }, placements);
  const labels = placements.map(({ rank }) => String(rank));
  const times: number[] = [];
  for (let step = 0; step < steps + 2; step++) {
    const samples: RankSample[] = (rows[step % MADE] ?? []).flatMap(({ metric, values }) =>
      labels.map((rank, index) => ({ metric, rank, step, timeMs: step * 10_000, value: values[index] ?? 0 })),
    );
    const started = process.cpuUsage();
    watch.observe(samples);
    if (step >= 2) times.push(cpuMs(started));
  }
  return median(times);
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

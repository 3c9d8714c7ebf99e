import type { Finding, RankPlacement } from "@trainwatch/core";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import { rankMonitorOf } from "../index.ts";
import type { MonitorContext } from "../index.ts";
import type { RankDetectorEntry, RankStep } from "../rank/contract.ts";
import { CONTEXT } from "./series.fixture.ts";

/** Two stages of eight replicas, four ranks a node. */
export const PLACEMENTS: readonly RankPlacement[] = Array.from({ length: 16 }, (_, rank) => ({
  rank,
  dp: rank % 8,
  tp: 0,
  pp: rank >> 3,
  ep: null,
  gpuId: `GPU-${rank}`,
  nodeId: `node-${rank >> 2}`,
  host: `n${rank >> 2}`,
}));

export interface RankTracePlan {
  readonly steps: number;
  readonly ranks?: number;
  readonly seed?: number;
  /** The value of a metric, given a healthy one; undefined: the rank says nothing. */
  value?(metric: string, rank: number, step: number, healthy: number): number | undefined;
}

/** Metrics in the order in which a trainer logs them. */
export const TRACE_METRICS = [
  "loss",
  "grad_norm",
  "sequence_load",
  "compute_time",
  "communication_time",
  "data_time",
  "step_time",
  "param_hash",
  "recompute_mismatches",
  "expert_load_ratio",
] as const;

/** All metrics of all ranks, step by step: standing offsets, what a batch has in common, Gaussian noise. */
export function rankTrace({ steps, ranks = 16, seed = 1, value }: RankTracePlan): RankStep[] {
  const random = seededRandom(seed);
  const draw = (): number => normalDraw(random);
  const offsets = Array.from({ length: ranks }, draw);
  return Array.from({ length: steps }, (_, step) => {
    const common = 0.1 * draw();
    const loads = Array.from({ length: ranks }, () => Math.exp(0.02 * draw()));
    const healthy: Record<(typeof TRACE_METRICS)[number], (rank: number) => number> = {
      loss: (rank) => Math.exp(0.7 + common + 0.02 * ((offsets[rank] ?? 0) + draw())),
      grad_norm: (rank) => Math.exp(common + 0.1 * ((offsets[rank] ?? 0) + draw())),
      sequence_load: (rank) => 1e9 * (loads[rank] ?? 1),
      compute_time: (rank) => (1 + 3 * (loads[rank] ?? 1)) * Math.exp(0.01 * draw()),
      communication_time: () => 0.5 * Math.exp(0.01 * draw()),
      data_time: () => 0.02 * Math.exp(0.1 * draw()),
      step_time: () => 4.6 * Math.exp(0.003 * draw()),
      param_hash: () => 1_000_003 * (step + 1),
      recompute_mismatches: () => 0,
      expert_load_ratio: () => 1.3 * Math.exp(0.05 * draw()),
    };
    return TRACE_METRICS.flatMap((metric) => {
      if (metric === "param_hash" && step % 10 !== 0) return [];
      const values = new Float64Array(ranks).fill(Number.NaN);
      const has = new Uint8Array(ranks);
      for (let rank = 0; rank < ranks; rank++) {
        const usual = healthy[metric](rank);
        const told = value === undefined ? usual : value(metric, rank, step, usual);
        if (told === undefined) continue;
        values[rank] = told;
        has[rank] = 1;
      }
      return has.includes(1) ? [{ metric, step, timeMs: 1_700_000_000_000 + step * 10_000, values, has }] : [];
    });
  }).flat();
}

const within = (step: number, from: number, to: number): boolean => step >= from && step < to;

/** A run with every kind of trouble in it, so that each rank detector speaks at least once. */
export function troubledRanks(): RankStep[] {
  return rankTrace({
    steps: 460,
    value(metric, rank, step, healthy) {
      if (metric === "grad_norm" && rank === 3 && within(step, 150, 230)) return healthy * 1.8;
      if (metric === "grad_norm" && rank === 7 && within(step, 300, 303)) return Number.NaN;
      if (metric === "loss" && rank === 5 && step > 250 && step % 23 === 0) return healthy * 2.5;
      if (metric === "param_hash" && rank === 2 && within(step, 200, 300)) return healthy + 1;
      if (metric === "recompute_mismatches" && rank === 9 && step === 210) return 4;
      if (metric === "compute_time" && rank === 11 && within(step, 120, 170)) return healthy * 1.3;
      if (metric === "compute_time" && rank >= 8 && within(step, 240, 280)) return healthy * 1.3;
      if (metric === "communication_time" && within(step, 320, 350)) return healthy * 2;
      if (metric === "data_time" && rank === 4 && within(step, 180, 220)) return healthy + 2;
      if (metric === "expert_load_ratio" && within(step, 100, 160)) return healthy * 4;
      if (step >= 380 && rank % 8 === step % 8) {
        if (metric === "sequence_load") return healthy * 2;
        if (metric === "compute_time") return healthy * 1.75;
      }
      return healthy;
    },
  });
}

/** What a careless source does: ranks that are silent, leave or join late, steps that are missing, values out of every range. */
export function roughRanks(): RankStep[] {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -3, 1e308, 5e-324];
  return rankTrace({
    steps: 260,
    ranks: 18,
    seed: 2,
    value(metric, rank, step, healthy) {
      if (rank === 17 && step < 90) return undefined;
      if (rank === 6 && step > 140) return undefined;
      if (metric === "sequence_load" && step % 7 === 0) return undefined;
      if ((step * 31 + rank * 7) % 101 === 0) return undefined;
      if ((step * 13 + rank * 11) % 97 === 0) return odd[(step + rank) % odd.length];
      if (metric === "grad_norm" && rank === 1 && step > 180) return healthy * 3;
      return healthy;
    },
  }).filter(({ step }) => step % 53 !== 0);
}

/** The findings of one detector as they stand at the end, each in its newest form, notes left out unless asked for. */
export function rankFindings(
  entry: RankDetectorEntry,
  steps: readonly RankStep[],
  {
    placements = PLACEMENTS,
    notes = false,
    parameters = {},
  }: { readonly placements?: readonly RankPlacement[]; readonly notes?: boolean; readonly parameters?: MonitorContext["parameters"] } = {},
): Finding[] {
  const monitor = rankMonitorOf([entry], { ...CONTEXT, placements, parameters: parameters ?? {} });
  const byId = new Map<string, Finding>();
  for (const step of steps) for (const finding of monitor.observe(step)) byId.set(finding.id, finding);
  return [...byId.values()].filter(({ severity }) => notes || severity !== "info");
}

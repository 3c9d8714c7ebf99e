import type { PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";

export interface RankFault {
  readonly rank: number;
  readonly fromStep: number;
  readonly toStep: number;
  /** Added to its gradient norm, in units of the noise. */
  readonly sigmas: number;
}

export const NOISE = 0.02;

export function rankGpu(rank: number): string {
  return `GPU-00000000-0000-0000-0000-${String(rank).padStart(12, "0")}`;
}

/** Deterministic noise of variance 1: twelve uniforms less six. */
function noise(seed: number): number {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  let sum = -6;
  for (let index = 0; index < 12; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    sum += (state >>> 0) / 2 ** 32;
  }
  return sum;
}

/** Loss and gradient norm of each rank, `steps` of them a push; all ranks are data-parallel peers, one a GPU. */
export function* rankPushes(options: {
  readonly ranks: number;
  readonly from: number;
  readonly to: number;
  readonly stepsAPush: number;
  readonly faults: readonly RankFault[];
}): Generator<PushInput> {
  const { ranks, from, to, stepsAPush, faults } = options;
  const assignments = Array.from({ length: ranks }, (_, rank) => ({
    rank,
    dp: rank,
    tp: 0,
    pp: 0,
    gpuUuid: rankGpu(rank),
    node: `n${Math.floor(rank / 8)}`,
    gpuIndex: rank % 8,
  }));
  for (let first = from; first <= to; first += stepsAPush) {
    const steps = Array.from({ length: Math.min(stepsAPush, to - first + 1) }, (_, index) => first + index);
    const valueOf = (metric: string, rank: number, step: number): number => {
      const fault = faults.find((each) => metric === "grad_norm" && each.rank === rank && step >= each.fromStep && step <= each.toStep);
      return (metric === "loss" ? 2 : 0.5) + NOISE * (noise(step * 131_071 + rank * 17 + metric.length) + (fault?.sigmas ?? 0));
    };
    yield buildPush(
      { source: "ranks", seq: first, ...(first === from ? { assignments } : {}) },
      ["loss", "grad_norm"].flatMap((metric) =>
        Array.from({ length: ranks }, (_, rank) => ({
          metric,
          labels: { rank: String(rank) },
          points: steps.map((step) => [step, valueOf(metric, rank, step), 1_767_225_600_000 + step * 2_000] as const),
        })),
      ),
    );
  }
}

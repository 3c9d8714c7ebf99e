// What dcgm-exporter reads of a node: 30 metrics of 8 GPUs, as noisy and as constant as the real ones.
import type { FrameSeries } from "@trainwatch/core";

export const GPUS = 8;

type Shape =
  | { readonly kind: "constant"; readonly value: number }
  | { readonly kind: "noise"; readonly mean: number; readonly spread: number; readonly digits: number }
  | { readonly kind: "counter"; readonly perStep: number; readonly spread: number };

const constant = (value: number): Shape => ({ kind: "constant", value });
const noise = (mean: number, spread: number, digits: number): Shape => ({ kind: "noise", mean, spread, digits });
const counter = (perStep: number, spread: number): Shape => ({ kind: "counter", perStep, spread });

/** Temperatures in whole degrees, power to the milliwatt, ratios of six decimals, counters that grow, and a third that never moves. */
const METRICS: readonly (readonly [name: string, shape: Shape])[] = [
  ["DCGM_FI_DEV_GPU_TEMP", noise(61, 3, 0)],
  ["DCGM_FI_DEV_MEMORY_TEMP", noise(78, 2, 0)],
  ["DCGM_FI_DEV_POWER_USAGE", noise(655, 22, 3)],
  ["DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", counter(6_550_000, 220_000)],
  ["DCGM_FI_DEV_SM_CLOCK", noise(1_935, 22, 0)],
  ["DCGM_FI_DEV_MEM_CLOCK", constant(2_619)],
  ["DCGM_FI_DEV_GPU_UTIL", noise(99, 1.5, 0)],
  ["DCGM_FI_DEV_MEM_COPY_UTIL", noise(46, 6, 0)],
  ["DCGM_FI_DEV_ENC_UTIL", constant(0)],
  ["DCGM_FI_DEV_DEC_UTIL", constant(0)],
  ["DCGM_FI_DEV_FB_FREE", noise(7_302, 1, 0)],
  ["DCGM_FI_DEV_FB_USED", noise(73_258, 1, 0)],
  ["DCGM_FI_DEV_FB_RESERVED", constant(598)],
  ["DCGM_FI_DEV_XID_ERRORS", constant(0)],
  ["DCGM_FI_DEV_PCIE_REPLAY_COUNTER", constant(0)],
  ["DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", constant(0)],
  ["DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS", constant(0)],
  ["DCGM_FI_DEV_ROW_REMAP_FAILURE", constant(0)],
  ["DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL", counter(2_900_000, 400_000)],
  ["DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", constant(0)],
  ["DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", constant(0)],
  ["DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", constant(4)],
  ["DCGM_FI_PROF_GR_ENGINE_ACTIVE", noise(0.97, 0.02, 6)],
  ["DCGM_FI_PROF_SM_ACTIVE", noise(0.84, 0.04, 6)],
  ["DCGM_FI_PROF_SM_OCCUPANCY", noise(0.27, 0.03, 6)],
  ["DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", noise(0.41, 0.05, 6)],
  ["DCGM_FI_PROF_DRAM_ACTIVE", noise(0.52, 0.05, 6)],
  ["DCGM_FI_PROF_PCIE_TX_BYTES", noise(1_204_311_877, 250_000_000, 0)],
  ["DCGM_FI_PROF_PCIE_RX_BYTES", noise(988_120_404, 250_000_000, 0)],
  ["DCGM_FI_PROF_NVLINK_TX_BYTES", noise(211_804_226_311, 9_000_000_000, 0)],
];
export const SERIES_A_NODE = METRICS.length * GPUS;

export function hostOf(node: number): string {
  return `c${String(node >> 4).padStart(2, "0")}-n${String(node & 15).padStart(2, "0")}`;
}

/** Series of a node in the exporter's order, metric by metric, with the labels that it sets. */
export function seriesOf(node: number): readonly FrameSeries[] {
  const host = hostOf(node);
  return METRICS.flatMap(([name]) =>
    Array.from({ length: GPUS }, (_, gpu): FrameSeries => [
      name,
      {
        gpu: String(gpu),
        UUID: uuidOf(node, gpu),
        device: `nvidia${gpu}`,
        pci_bus_id: `00000000:${gpu}B:00.0`,
        modelName: "NVIDIA H100 80GB HBM3",
        Hostname: host,
      },
    ]),
  );
}

function uuidOf(node: number, gpu: number): string {
  const hex = (node * GPUS + gpu + 0x10000000).toString(16);
  return `GPU-${hex}-7c1d-4f0e-9a3b-${hex.padStart(12, "0")}`;
}

/** One node after another step by step: the same seed gives the same values. */
export interface NodeValues {
  /** Writes the readings of the next step, 8 bytes each, at `at`. */
  next(target: DataView, at: number): void;
}

export function nodeValues(node: number): NodeValues {
  const random = randomFrom(node + 1);
  const totals = METRICS.flatMap(() => Array.from({ length: GPUS }, () => Math.floor(random() * 1e9)));
  return {
    next(target, at) {
      METRICS.forEach(([, shape], metric) => {
        for (let gpu = 0; gpu < GPUS; gpu++) {
          const index = metric * GPUS + gpu;
          target.setFloat64(at + 8 * index, valueOf(shape, totals, index, random), true);
        }
      });
    },
  };
}

function valueOf(shape: Shape, totals: number[], index: number, random: () => number): number {
  if (shape.kind === "constant") return shape.value;
  // The sum of three is near enough to a bell.
  const bell = (random() + random() + random()) * 2 - 3;
  if (shape.kind === "counter")
    return (totals[index] = (totals[index] ?? 0) + Math.max(0, Math.round(shape.perStep + shape.spread * bell)));
  const scale = 10 ** shape.digits;
  return Math.round((shape.mean + shape.spread * bell) * scale) / scale;
}

/** Park and Miller's generator: good enough for noise, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = (seed * 48_271) % 2_147_483_647;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

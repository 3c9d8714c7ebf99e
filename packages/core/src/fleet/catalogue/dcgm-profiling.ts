import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { DCGM_SENTINELS } from "./sentinels.ts";

const ACTIVITY: FieldFamily = { entity: "gpu", signal: "activity", sentinels: DCGM_SENTINELS, source: "DCGM 4.6 dcgm_fields.h" };
/** A ratio from 0 to 1; sampling lets it overshoot by some thousandths. */
const RATIO = { max: 1.05, digits: 3, domain: [0, 1] } as const;

/** Activity measured by hardware counters; PCIe "bytes" are bytes per second, whatever the TYPE line says (guilbaults/slurm-job-exporter#11). */
export const DCGM_PROFILING_FIELDS: readonly FleetField[] = [
  ...[
    ["GR_ENGINE_UTIL_RATIO", "GR_ENGINE_ACTIVE", "Compute engine active"],
    ["SM_UTIL_RATIO", "SM_ACTIVE", "SMs active"],
    ["SM_OCCUPANCY_RATIO", "SM_OCCUPANCY", "SM occupancy"],
    ["TENSOR_UTIL_RATIO", "PIPE_TENSOR_ACTIVE", "Tensor pipe active"],
    ["DRAM_UTIL_RATIO", "DRAM_ACTIVE", "Memory interface active"],
    ["FP64_UTIL_RATIO", "PIPE_FP64_ACTIVE", "FP64 pipe active"],
    ["FP32_UTIL_RATIO", "PIPE_FP32_ACTIVE", "FP32 pipe active"],
    ["FP16_UTIL_RATIO", "PIPE_FP16_ACTIVE", "FP16 pipe active"],
  ].map(([name, old, title]) => defineField(ACTIVITY, `DCGM_FI_PROF_${name}`, title ?? "", { ...RATIO, aliases: [`DCGM_FI_PROF_${old}`] })),
  defineField({ ...ACTIVITY, signal: "pcie" }, "DCGM_FI_PROF_PCIE_TX_BYTES", "PCIe sent", { unit: "B/s", max: 1e12 }),
  defineField({ ...ACTIVITY, signal: "pcie" }, "DCGM_FI_PROF_PCIE_RX_BYTES", "PCIe received", { unit: "B/s", max: 1e12 }),
];

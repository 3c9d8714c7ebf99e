import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { NVML_SENTINELS } from "./sentinels.ts";

const family = (signal: FieldFamily["signal"]): FieldFamily => ({
  entity: "gpu",
  signal,
  sentinels: NVML_SENTINELS,
  source: "nvidia_gpu_exporter, captures of 590.48.01",
});

const COUNTER = { kind: "counter", max: 2 ** 40 } as const;
const RATIO = { max: 1, digits: 2, domain: [0, 1] } as const;

/**
 * What nvidia_gpu_exporter makes of `nvidia-smi --query-gpu`. Fields of their own and no aliases of DCGM's: units differ (Hz, bytes, ratios),
 * and two sources that read one GPU a moment apart must not contradict each other in one series.
 */
export const NVIDIA_SMI_FIELDS: readonly FleetField[] = [
  defineField(family("activity"), "nvidia_smi_utilization_gpu_ratio", "GPU utilisation", RATIO),
  defineField(family("activity"), "nvidia_smi_utilization_memory_ratio", "Memory utilisation", RATIO),
  defineField(family("temperature"), "nvidia_smi_temperature_gpu", "GPU temperature", { unit: "°C", min: -40, max: 200, domain: [45, 95] }),
  defineField(family("temperature"), "nvidia_smi_temperature_memory", "Memory temperature", {
    unit: "°C",
    min: -40,
    max: 200,
    domain: [60, 95],
  }),
  defineField(family("temperature"), "nvidia_smi_temperature_gpu_tlimit", "Margin to slowdown temperature", {
    unit: "°C",
    min: -200,
    max: 200,
  }),
  defineField(family("power"), "nvidia_smi_power_draw_watts", "Power draw", { unit: "W", max: 3_000, digits: 1, domain: [0, 1_000] }),
  defineField(family("power"), "nvidia_smi_power_draw_instant_watts", "Power draw, instantaneous", {
    unit: "W",
    max: 3_000,
    digits: 1,
    domain: [0, 1_000],
  }),
  defineField(family(null), "nvidia_smi_enforced_power_limit_watts", "Power limit, enforced", { unit: "W", max: 3_000 }),
  defineField(family("clocks"), "nvidia_smi_clocks_current_sm_clock_hz", "SM clock", { unit: "Hz", max: 1e10 }),
  defineField(family("clocks"), "nvidia_smi_clocks_current_memory_clock_hz", "Memory clock", { unit: "Hz", max: 1e10 }),
  defineField(family("throttle"), "nvidia_smi_clocks_event_reasons_active", "Clock event reasons, as bits", {
    kind: "state",
    max: 2 ** 20,
  }),
  ...["hw_power_brake_slowdown", "hw_thermal_slowdown", "sw_power_cap", "sw_thermal_slowdown", "sync_boost"].map((of) =>
    defineField(family("throttle"), `nvidia_smi_clocks_event_reasons_counters_${of}_seconds`, `Time under ${of.replaceAll("_", " ")}`, {
      unit: "s",
      kind: "counter",
      digits: 1,
    }),
  ),
  defineField(family("memory"), "nvidia_smi_memory_used_bytes", "Memory used", { unit: "B", max: 2 ** 42 }),
  defineField(family("memory"), "nvidia_smi_memory_free_bytes", "Memory free", { unit: "B", max: 2 ** 42 }),
  defineField(family(null), "nvidia_smi_memory_total_bytes", "Memory in all", { unit: "B", max: 2 ** 42 }),
  ...["corrected_volatile", "uncorrected_volatile", "corrected_aggregate", "uncorrected_aggregate"].map((of) =>
    defineField(family("ecc"), `nvidia_smi_ecc_errors_${of}_total`, `Memory errors, ${of.replace("_", ", ")}`, COUNTER),
  ),
  defineField(family("row-remap"), "nvidia_smi_remapped_rows_correctable", "Rows remapped for correctable errors", COUNTER),
  defineField(family("row-remap"), "nvidia_smi_remapped_rows_uncorrectable", "Rows remapped for uncorrectable errors", COUNTER),
  defineField(family("row-remap"), "nvidia_smi_remapped_rows_failure", "Row remapping has failed", { kind: "state", max: 1 }),
  defineField(family("row-remap"), "nvidia_smi_remapped_rows_pending", "Row remapping waits for a reset", { kind: "state", max: 1 }),
  defineField(family("xid"), "nvidia_smi_gpu_recovery_action", "Recovery action asked by the driver (0 is none)", {
    kind: "state",
    max: 16,
  }),
  defineField(family("pcie"), "nvidia_smi_pcie_link_gen_current", "PCIe generation", { kind: "state", max: 16 }),
  defineField(family("pcie"), "nvidia_smi_pcie_link_width_current", "PCIe lanes", { kind: "state", max: 64 }),
  defineField(family(null), "nvidia_smi_fabric_state", "Fabric state (3 is completed)", { kind: "state", max: 16 }),
  defineField(family(null), "nvidia_smi_pstate", "Performance state (0 is fastest)", { kind: "state", max: 32 }),
  // `nvidia-smi nvlink -s`: DCGM has neither.
  defineField({ ...family(null), entity: "link" }, "nvidia_smi_nvlink_active", "Link active", { kind: "state", max: 1 }),
  defineField({ ...family(null), entity: "link" }, "nvidia_smi_nvlink_speed_bytes_per_second", "Link speed, one way", {
    unit: "B/s",
    max: 1e12,
  }),
  // Carries index, name, driver and serial as labels; its value is always 1.
  defineField(family(null), "nvidia_smi_gpu_info", "What the GPU is (labels)", { kind: "state", max: 1 }),
];

import { bits, count, flag, performanceState, quantity, words, type ValueReader } from "./value.ts";

/** A field of a GPU as the three outputs of nvidia-smi call it. Paths are `section/…/name`, in lower case with underscores. */
export interface SmiField {
  /** Of the metric catalogue, or nvidia-smi's own where DCGM has no such quantity. */
  readonly metric: string;
  readonly read: ValueReader;
  /** Paths in `nvidia-smi -q`; names changed with drivers. */
  readonly text: readonly string[];
  /** Paths in `nvidia-smi -q -x`. */
  readonly xml: readonly string[];
  /** Columns of `nvidia-smi --query-gpu=… --format=csv`. */
  readonly csv: readonly string[];
}

const percent = quantity({ "%": 1 });
const celsius = quantity({ C: 1, "": 1 });
const watts = quantity({ W: 1 });
const megahertz = quantity({ MHz: 1 });
const mebibytes = quantity({ MiB: 1 });
const nanoseconds = quantity({ us: 1_000, ns: 1 });
const bytesPerSecond = quantity({ "KB/s": 1_000, "MB/s": 1_000_000 });
const lanes = quantity({ x: 1, "": 1 });

const field = (metric: string, read: ValueReader, text: readonly string[], xml: readonly string[], csv: readonly string[]): SmiField => ({
  metric,
  read,
  text,
  xml,
  csv,
});

const POWER = ["gpu_power_readings", "power_readings"];
const under = (sections: readonly string[], ...names: readonly string[]): readonly string[] =>
  sections.flatMap((section) => names.map((name) => `${section}/${name}`));

/** In the units of the catalogue. Names of power fields: `Power Draw` to 549, an average and an instantaneous one since. */
export const SMI_FIELDS: readonly SmiField[] = [
  field("DCGM_FI_DEV_GPU_UTIL_RATIO", percent, ["utilization/gpu"], ["utilization/gpu_util"], ["utilization.gpu"]),
  field("DCGM_FI_DEV_MEM_COPY_UTIL", percent, ["utilization/memory"], ["utilization/memory_util"], ["utilization.memory"]),
  field("DCGM_FI_DEV_ENC_UTIL", percent, ["utilization/encoder"], ["utilization/encoder_util"], ["utilization.encoder"]),
  field("DCGM_FI_DEV_DEC_UTIL", percent, ["utilization/decoder"], ["utilization/decoder_util"], ["utilization.decoder"]),
  field("DCGM_FI_DEV_GPU_TEMP_CELSIUS", celsius, ["temperature/gpu_current_temp"], ["temperature/gpu_temp"], ["temperature.gpu"]),
  field(
    "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS",
    celsius,
    ["temperature/memory_current_temp"],
    ["temperature/memory_temp"],
    ["temperature.memory"],
  ),
  field(
    "DCGM_FI_DEV_GPU_TEMP_MARGIN_CELSIUS",
    celsius,
    ["temperature/gpu_t.limit_temp"],
    ["temperature/gpu_temp_tlimit"],
    ["temperature.gpu.tlimit"],
  ),
  field("DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS", celsius, ["temperature/gpu_slowdown_temp"], ["temperature/gpu_temp_slow_threshold"], []),
  field("DCGM_FI_DEV_GPU_TEMP_SHUTDOWN_CELSIUS", celsius, ["temperature/gpu_shutdown_temp"], ["temperature/gpu_temp_max_threshold"], []),
  field(
    "DCGM_FI_DEV_BOARD_POWER_WATTS",
    watts,
    under(POWER, "average_power_draw", "power_draw"),
    under(POWER, "average_power_draw", "power_draw"),
    ["power.draw.average", "power.draw"],
  ),
  field("DCGM_FI_DEV_BOARD_POWER_RAW_WATTS", watts, under(POWER, "instantaneous_power_draw"), under(POWER, "instant_power_draw"), [
    "power.draw.instant",
  ]),
  field(
    "DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS",
    watts,
    under(POWER, "requested_power_limit", "power_limit"),
    under(POWER, "requested_power_limit", "power_limit"),
    ["power.limit"],
  ),
  field(
    "DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS",
    watts,
    under(POWER, "current_power_limit", "enforced_power_limit"),
    under(POWER, "current_power_limit", "enforced_power_limit"),
    ["enforced.power.limit"],
  ),
  field("DCGM_FI_DEV_SM_CLOCK", megahertz, ["clocks/sm"], ["clocks/sm_clock"], ["clocks.current.sm", "clocks.sm"]),
  field("DCGM_FI_DEV_MEM_CLOCK", megahertz, ["clocks/memory"], ["clocks/mem_clock"], ["clocks.current.memory", "clocks.mem"]),
  field("DCGM_FI_DEV_VIDEO_CLOCK", megahertz, ["clocks/video"], ["clocks/video_clock"], ["clocks.current.video", "clocks.video"]),
  field("DCGM_FI_DEV_GPU_PSTATE", performanceState, ["performance_state"], ["performance_state"], ["pstate"]),
  field("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", bits, [], [], ["clocks_event_reasons.active", "clocks_throttle_reasons.active"]),
  field(
    "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS",
    nanoseconds,
    ["clocks_event_reasons_counters/sw_power_capping"],
    ["clocks_event_reasons_counters/clocks_event_reasons_counters_sw_power_cap"],
    ["clocks_event_reasons_counters.sw_power_cap"],
  ),
  field(
    "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS",
    nanoseconds,
    ["clocks_event_reasons_counters/sw_thermal_slowdown"],
    ["clocks_event_reasons_counters/clocks_event_reasons_counters_sw_therm_slowdown"],
    ["clocks_event_reasons_counters.sw_thermal_slowdown"],
  ),
  field(
    "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS",
    nanoseconds,
    ["clocks_event_reasons_counters/hw_thermal_slowdown"],
    ["clocks_event_reasons_counters/clocks_event_reasons_counters_hw_therm_slowdown"],
    ["clocks_event_reasons_counters.hw_thermal_slowdown"],
  ),
  field(
    "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS",
    nanoseconds,
    ["clocks_event_reasons_counters/hw_power_braking"],
    ["clocks_event_reasons_counters/clocks_event_reasons_counters_hw_power_brake"],
    ["clocks_event_reasons_counters.hw_power_brake_slowdown"],
  ),
  field("DCGM_FI_DEV_FB_TOTAL", mebibytes, ["fb_memory_usage/total"], ["fb_memory_usage/total"], ["memory.total"]),
  field("DCGM_FI_DEV_FB_RESERVED", mebibytes, ["fb_memory_usage/reserved"], ["fb_memory_usage/reserved"], ["memory.reserved"]),
  field("DCGM_FI_DEV_FB_USED", mebibytes, ["fb_memory_usage/used"], ["fb_memory_usage/used"], ["memory.used"]),
  field("DCGM_FI_DEV_FB_FREE", mebibytes, ["fb_memory_usage/free"], ["fb_memory_usage/free"], ["memory.free"]),
  field("DCGM_FI_DEV_PCIE_REPLAY_TOTAL", count, ["pci/replays_since_reset"], ["pci/replay_counter"], []),
  field(
    "DCGM_FI_DEV_PCIE_LINK_GEN",
    count,
    ["pci/gpu_link_info/pcie_generation/current"],
    ["pci/pci_gpu_link_info/pcie_gen/current_link_gen"],
    ["pcie.link.gen.current"],
  ),
  field(
    "DCGM_FI_DEV_PCIE_LINK_WIDTH",
    lanes,
    ["pci/gpu_link_info/link_width/current"],
    ["pci/pci_gpu_link_info/link_widths/current_link_width"],
    ["pcie.link.width.current"],
  ),
  // Sampled over 20 ms by NVML: another quantity than DCGM's profiling counters.
  field("nvidia_smi_pcie_tx_bytes_per_second", bytesPerSecond, ["pci/tx_throughput"], ["pci/tx_util"], []),
  field("nvidia_smi_pcie_rx_bytes_per_second", bytesPerSecond, ["pci/rx_throughput"], ["pci/rx_util"], []),
  field(
    "DCGM_FI_DEV_SRAM_EXCEEDED",
    flag,
    ["ecc_errors/aggregate/sram_threshold_exceeded"],
    ["ecc_errors/aggregate/sram_threshold_exceeded"],
    ["ecc.errors.uncorrected.aggregate.sram.thresholdexceeded"],
  ),
  field("DCGM_FI_DEV_MEMORY_UNREPAIRABLE", flag, ["ecc_errors/unrepairable_memory"], ["ecc_errors/unrepairable_memory"], []),
  field(
    "DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL",
    count,
    ["remapped_rows/correctable_error"],
    ["remapped_rows/remapped_row_corr"],
    ["remapped_rows.correctable"],
  ),
  field(
    "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL",
    count,
    ["remapped_rows/uncorrectable_error"],
    ["remapped_rows/remapped_row_unc"],
    ["remapped_rows.uncorrectable"],
  ),
  field(
    "DCGM_FI_DEV_ROW_REMAP_PENDING",
    flag,
    ["remapped_rows/pending"],
    ["remapped_rows/remapped_row_pending"],
    ["remapped_rows.pending"],
  ),
  field(
    "DCGM_FI_DEV_ROW_REMAP_FAILED",
    flag,
    ["remapped_rows/remapping_failure_occurred"],
    ["remapped_rows/remapped_row_failure"],
    ["remapped_rows.failure"],
  ),
  field(
    "DCGM_FI_DEV_PAGE_RETIRED_SBE_TOTAL",
    count,
    ["retired_pages/single_bit_ecc"],
    ["retired_pages/multiple_single_bit_retirement/retired_count"],
    ["retired_pages.single_bit_ecc.count"],
  ),
  field(
    "DCGM_FI_DEV_PAGE_RETIRED_DBE_TOTAL",
    count,
    ["retired_pages/double_bit_ecc"],
    ["retired_pages/double_bit_retirement/retired_count"],
    ["retired_pages.double_bit.count"],
  ),
  field(
    "DCGM_FI_DEV_PAGE_RETIRED_PENDING",
    flag,
    ["retired_pages/pending_page_blacklist"],
    ["retired_pages/pending_retirement"],
    ["retired_pages.pending"],
  ),
  field(
    "DCGM_FI_DEV_GPU_RECOVERY_ACTION",
    words({ none: 0, reset: 1, "gpu reset": 1, reboot: 2, "node reboot": 2, "drain p2p": 3, "drain and reset": 4 }),
    ["gpu_recovery_action"],
    ["gpu_recovery_action"],
    ["gpu_recovery_action"],
  ),
  field(
    "nvidia_smi_fabric_state",
    words({ "not supported": 0, "not started": 1, "in progress": 2, completed: 3 }),
    ["fabric/state"],
    ["fabric/state"],
    ["fabric.state"],
  ),
];

import type { Spelling } from "./spelling.ts";

/** A field as dcgm-exporter exposes it. */
export interface ExporterField {
  /** Name up to DCGM 4.5, and since. */
  readonly classic: string;
  readonly renamed: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  /** DCGM's type: a double is written with six digits after the point. */
  readonly digits: 0 | 6;
}

const field = (type: ExporterField["type"], digits: 0 | 6, classic: string, help: string, renamed = classic): ExporterField => ({
  classic,
  renamed,
  type,
  help,
  digits,
});

/**
 * Fields of a GPU in the order of an exporter's list; the first 21 are those of dcgm-exporter's own list (E7). Types as that list has them,
 * right or wrong: it calls NVLink's rate a counter.
 */
export const GPU_FIELDS = [
  field("gauge", 0, "DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz)."),
  field("gauge", 0, "DCGM_FI_DEV_MEM_CLOCK", "Memory clock frequency (in MHz)."),
  field("gauge", 0, "DCGM_FI_DEV_MEMORY_TEMP", "Memory temperature (in C).", "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS"),
  field("gauge", 0, "DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", "DCGM_FI_DEV_GPU_TEMP_CELSIUS"),
  field("gauge", 6, "DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", "DCGM_FI_DEV_BOARD_POWER_WATTS"),
  field("counter", 0, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Total energy consumption since boot (in mJ)."),
  field("counter", 0, "DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "Total number of PCIe retries.", "DCGM_FI_DEV_PCIE_REPLAY_TOTAL"),
  field("gauge", 0, "DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", "DCGM_FI_DEV_GPU_UTIL_RATIO"),
  field("gauge", 0, "DCGM_FI_DEV_MEM_COPY_UTIL", "Memory utilization (in %)."),
  field("gauge", 0, "DCGM_FI_DEV_XID_ERRORS", "Value of the last XID error encountered.", "DCGM_FI_DEV_XID_ERROR"),
  field("gauge", 0, "DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB)."),
  field("gauge", 0, "DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB)."),
  field(
    "counter",
    0,
    "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
    "Total number of NVLink bandwidth counters for all lanes",
    "DCGM_FI_DEV_NVLINK_THROUGHPUT_TOTAL",
  ),
  field(
    "counter",
    0,
    "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
    "Number of remapped rows for uncorrectable errors",
    "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL",
  ),
  field(
    "counter",
    0,
    "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS",
    "Number of remapped rows for correctable errors",
    "DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL",
  ),
  field("gauge", 0, "DCGM_FI_DEV_ROW_REMAP_FAILURE", "Whether remapping of rows has failed", "DCGM_FI_DEV_ROW_REMAP_FAILED"),
  field("gauge", 6, "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "Ratio of time the graphics engine is active.", "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO"),
  field(
    "gauge",
    6,
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
    "Ratio of cycles the tensor (HMMA) pipe is active.",
    "DCGM_FI_PROF_TENSOR_UTIL_RATIO",
  ),
  field(
    "gauge",
    6,
    "DCGM_FI_PROF_DRAM_ACTIVE",
    "Ratio of cycles the device memory interface is active sending or receiving data.",
    "DCGM_FI_PROF_DRAM_UTIL_RATIO",
  ),
  field("gauge", 0, "DCGM_FI_PROF_PCIE_TX_BYTES", "The rate of data transmitted over the PCIe bus, in bytes per second."),
  field("gauge", 0, "DCGM_FI_PROF_PCIE_RX_BYTES", "The rate of data received over the PCIe bus, in bytes per second."),
  field("gauge", 6, "DCGM_FI_PROF_SM_ACTIVE", "The ratio of cycles an SM has at least 1 warp assigned.", "DCGM_FI_PROF_SM_UTIL_RATIO"),
  field("gauge", 0, "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "Current clock event reasons (bitmask).", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS"),
  field("counter", 0, "DCGM_FI_DEV_POWER_VIOLATION", "Throttling duration due to power constraints (in ns)."),
  field("counter", 0, "DCGM_FI_DEV_THERMAL_VIOLATION", "Throttling duration due to thermal constraints (in ns)."),
  field("counter", 0, "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "Total number of single-bit volatile ECC errors."),
  field("counter", 0, "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "Total number of double-bit volatile ECC errors."),
  field("gauge", 0, "DCGM_FI_DEV_ROW_REMAP_PENDING", "Whether a row remapping is pending."),
  field(
    "counter",
    0,
    "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
    "Total number of NVLink flow-control CRC errors.",
    "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL",
  ),
  field(
    "counter",
    0,
    "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
    "Total number of NVLink recovery errors.",
    "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_TOTAL",
  ),
] as const satisfies readonly ExporterField[];

export const DEFAULT_FIELD_COUNT = 21;

/** Places of the fields among the values of a GPU: the order of `GPU_FIELDS`. */
export const GPU_PLACE = {
  smClock: 0,
  memoryClock: 1,
  memoryTemperature: 2,
  temperature: 3,
  power: 4,
  energy: 5,
  pcieReplays: 6,
  utilisation: 7,
  memoryUtilisation: 8,
  xid: 9,
  memoryFree: 10,
  memoryUsed: 11,
  nvlinkRate: 12,
  rowsUncorrectable: 13,
  rowsCorrectable: 14,
  remapFailed: 15,
  engineActive: 16,
  tensorActive: 17,
  dramActive: 18,
  pcieSent: 19,
  pcieReceived: 20,
  smActive: 21,
  clockReasons: 22,
  powerViolation: 23,
  thermalViolation: 24,
  eccCorrected: 25,
  eccUncorrected: 26,
  remapPending: 27,
  crcErrors: 28,
  recoveries: 29,
} as const;

export function nameOf({ classic, renamed }: Pick<ExporterField, "classic" | "renamed">, spelling: Spelling): string {
  return spelling === "classic" ? classic : renamed;
}

/** Fields of one link. The first three have the link's number in their names and a GPU's labels, the others the labels of a link. */
export const LINK_FIELDS = [
  { of: "tx", type: "gauge", help: "The rate of data transmitted over the NVLink, in bytes per second." },
  { of: "rx", type: "gauge", help: "The rate of data received over the NVLink, in bytes per second." },
  { of: "crc", type: "counter", help: "NVLink flow-control CRC errors of the link." },
  { of: "replay", type: "counter", help: "Total number of NVLink retries." },
  { of: "state", type: "gauge", help: "State of the NVLink (0 inactive, 1 active, 2 asleep)." },
] as const;

export function linkFieldName(of: (typeof LINK_FIELDS)[number]["of"], link: number, spelling: Spelling): string {
  switch (of) {
    case "tx":
      return `DCGM_FI_PROF_NVLINK_L${link}_TX_BYTES`;
    case "rx":
      return `DCGM_FI_PROF_NVLINK_L${link}_RX_BYTES`;
    case "crc":
      return spelling === "classic"
        ? `DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L${link}`
        : `DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_L${link}_TOTAL`;
    case "replay":
      return spelling === "classic" ? "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL" : "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_TOTAL";
    case "state":
      return "DCGM_FI_DEV_NVLINK_GET_STATE";
  }
}

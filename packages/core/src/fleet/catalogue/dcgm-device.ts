import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { DCGM_SENTINELS } from "./sentinels.ts";

const SOURCE = "DCGM 4.6 dcgm_fields.h";

const family = (signal: FieldFamily["signal"]): FieldFamily => ({ entity: "gpu", signal, sentinels: DCGM_SENTINELS, source: SOURCE });

const ACTIVITY = family("activity");
const TEMPERATURE = family("temperature");
const POWER = family("power");
const CLOCKS = family("clocks");
const THROTTLE = family("throttle");
const MEMORY = family("memory");
const PCIE = family("pcie");

const PERCENT = { unit: "%", max: 100, domain: [0, 100] } as const;
/** Twice the hottest shutdown threshold that a data-centre GPU has; a sensor below −40 °C is broken. */
const CELSIUS = { unit: "°C", min: -40, max: 200 } as const;
/** A board of a rack-scale system draws up to 1,400 W. */
const WATTS = { unit: "W", max: 3_000, digits: 0 } as const;
const MEGAHERTZ = { unit: "MHz", max: 10_000 } as const;
/** 4 TiB. */
const MEBIBYTES = { unit: "MiB", max: 4 * 1024 * 1024 } as const;

/**
 * Levels and sums of one GPU. The number in a name that ends in _RATIO is still what the older name said: GPU_UTIL_RATIO counts to 100.
 * Violation counters run in nanoseconds on current drivers, whatever their help text says (dcgm-exporter's own list says ns, older ones µs).
 */
export const DCGM_DEVICE_FIELDS: readonly FleetField[] = [
  defineField(ACTIVITY, "DCGM_FI_DEV_GPU_UTIL_RATIO", "GPU utilisation", { ...PERCENT, aliases: ["DCGM_FI_DEV_GPU_UTIL"] }),
  defineField(ACTIVITY, "DCGM_FI_DEV_MEM_COPY_UTIL", "Memory utilisation", PERCENT),
  defineField({ ...ACTIVITY, signal: null }, "DCGM_FI_DEV_ENC_UTIL", "Encoder utilisation", PERCENT),
  defineField({ ...ACTIVITY, signal: null }, "DCGM_FI_DEV_DEC_UTIL", "Decoder utilisation", PERCENT),

  defineField(TEMPERATURE, "DCGM_FI_DEV_GPU_TEMP_CELSIUS", "GPU temperature", {
    ...CELSIUS,
    aliases: ["DCGM_FI_DEV_GPU_TEMP"],
    domain: [45, 95],
  }),
  defineField(TEMPERATURE, "DCGM_FI_DEV_MEMORY_TEMP_CELSIUS", "Memory temperature", {
    ...CELSIUS,
    aliases: ["DCGM_FI_DEV_MEMORY_TEMP"],
    domain: [60, 95],
  }),
  defineField(TEMPERATURE, "DCGM_FI_DEV_GPU_TEMP_MARGIN_CELSIUS", "Margin to slowdown temperature", {
    ...CELSIUS,
    min: -200,
    aliases: ["DCGM_FI_DEV_GPU_TEMP_LIMIT"],
  }),
  defineField(TEMPERATURE, "DCGM_FI_DEV_GPU_TEMP_SLOWDOWN_CELSIUS", "Slowdown temperature", {
    ...CELSIUS,
    signal: null,
    aliases: ["DCGM_FI_DEV_SLOWDOWN_TEMP"],
  }),
  defineField(TEMPERATURE, "DCGM_FI_DEV_GPU_TEMP_SHUTDOWN_CELSIUS", "Shutdown temperature", {
    ...CELSIUS,
    signal: null,
    aliases: ["DCGM_FI_DEV_SHUTDOWN_TEMP"],
  }),

  defineField(POWER, "DCGM_FI_DEV_BOARD_POWER_WATTS", "Power draw", {
    ...WATTS,
    aliases: ["DCGM_FI_DEV_POWER_USAGE"],
    digits: 1,
    domain: [0, 1_000],
  }),
  defineField(POWER, "DCGM_FI_DEV_BOARD_POWER_RAW_WATTS", "Power draw, instantaneous", {
    ...WATTS,
    aliases: ["DCGM_FI_DEV_POWER_USAGE_INSTANT"],
    digits: 1,
    domain: [0, 1_000],
  }),
  defineField(POWER, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "Energy since the driver was loaded", { unit: "mJ", kind: "counter" }),
  defineField(POWER, "DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", "Power limit", {
    ...WATTS,
    signal: null,
    aliases: ["DCGM_FI_DEV_POWER_MGMT_LIMIT"],
  }),
  defineField(POWER, "DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", "Power limit, enforced", {
    ...WATTS,
    signal: null,
    aliases: ["DCGM_FI_DEV_ENFORCED_POWER_LIMIT"],
  }),

  defineField(CLOCKS, "DCGM_FI_DEV_SM_CLOCK", "SM clock", MEGAHERTZ),
  defineField(CLOCKS, "DCGM_FI_DEV_MEM_CLOCK", "Memory clock", MEGAHERTZ),
  defineField({ ...CLOCKS, signal: null }, "DCGM_FI_DEV_VIDEO_CLOCK", "Video clock", MEGAHERTZ),
  defineField({ ...CLOCKS, signal: null }, "DCGM_FI_DEV_GPU_PSTATE", "Performance state (0 is fastest)", {
    kind: "state",
    max: 32,
    aliases: ["DCGM_FI_DEV_PSTATE"],
  }),

  defineField(THROTTLE, "DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "Clock event reasons, as bits", {
    kind: "state",
    max: 2 ** 20,
    aliases: ["DCGM_FI_DEV_CLOCK_THROTTLE_REASONS"],
  }),
  defineField(THROTTLE, "DCGM_FI_DEV_POWER_VIOLATION", "Time slowed by power", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_THERMAL_VIOLATION", "Time slowed by temperature", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_SYNC_BOOST_VIOLATION", "Time slowed by sync boost", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_BOARD_LIMIT_VIOLATION", "Time slowed by board limit", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_LOW_UTIL_VIOLATION", "Time slowed by low utilisation", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_RELIABILITY_VIOLATION", "Time slowed by reliability limit", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_TOTAL_APP_CLOCKS_VIOLATION", "Time below application clocks", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_TOTAL_BASE_CLOCKS_VIOLATION", "Time below base clocks", { unit: "ns", kind: "counter" }),
  defineField(THROTTLE, "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS", "Time under software power cap", {
    unit: "ns",
    kind: "counter",
  }),
  defineField(THROTTLE, "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS", "Time in software thermal slowdown", {
    unit: "ns",
    kind: "counter",
  }),
  defineField(THROTTLE, "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS", "Time in hardware thermal slowdown", {
    unit: "ns",
    kind: "counter",
  }),
  defineField(THROTTLE, "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS", "Time in hardware power brake", {
    unit: "ns",
    kind: "counter",
  }),
  defineField(THROTTLE, "DCGM_EXP_CLOCK_EVENTS_COUNT", "Clock events within the exporter's window", { kind: "windowed-count" }),

  defineField(MEMORY, "DCGM_FI_DEV_FB_USED", "Memory used", MEBIBYTES),
  defineField(MEMORY, "DCGM_FI_DEV_FB_FREE", "Memory free", MEBIBYTES),
  defineField({ ...MEMORY, signal: null }, "DCGM_FI_DEV_FB_RESERVED", "Memory reserved", MEBIBYTES),
  defineField({ ...MEMORY, signal: null }, "DCGM_FI_DEV_FB_TOTAL", "Memory in all", MEBIBYTES),
  defineField(MEMORY, "DCGM_FI_DEV_FB_USED_RATIO", "Share of memory used", {
    max: 1,
    digits: 3,
    domain: [0, 1],
    aliases: ["DCGM_FI_DEV_FB_USED_PERCENT"],
  }),

  defineField(PCIE, "DCGM_FI_DEV_PCIE_REPLAY_TOTAL", "PCIe replays", { kind: "counter", aliases: ["DCGM_FI_DEV_PCIE_REPLAY_COUNTER"] }),
  defineField(PCIE, "DCGM_FI_DEV_PCIE_CORRECTABLE_ERROR_TOTAL", "PCIe correctable errors", {
    kind: "counter",
    aliases: ["DCGM_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS"],
  }),
  defineField(PCIE, "DCGM_FI_DEV_PCIE_LINK_GEN", "PCIe generation", { kind: "state", max: 16 }),
  defineField(PCIE, "DCGM_FI_DEV_PCIE_LINK_WIDTH", "PCIe lanes", { kind: "state", max: 64 }),
];

/** Bits of NVML's clock event reasons (nvml.h), by the end of the name that text and XML have for each. */
export const CLOCK_REASONS: readonly { readonly text: string; readonly xml: string; readonly bit: number }[] = [
  { text: "idle", xml: "gpu_idle", bit: 0x1 },
  { text: "applications_clocks_setting", xml: "applications_clocks_setting", bit: 0x2 },
  { text: "sw_power_cap", xml: "sw_power_cap", bit: 0x4 },
  { text: "hw_slowdown", xml: "hw_slowdown", bit: 0x8 },
  { text: "sync_boost", xml: "sync_boost", bit: 0x10 },
  { text: "sw_thermal_slowdown", xml: "sw_thermal_slowdown", bit: 0x20 },
  { text: "hw_slowdown/hw_thermal_slowdown", xml: "hw_thermal_slowdown", bit: 0x40 },
  { text: "hw_slowdown/hw_power_brake_slowdown", xml: "hw_power_brake_slowdown", bit: 0x80 },
  { text: "display_clock_setting", xml: "display_clocks_setting", bit: 0x100 },
];

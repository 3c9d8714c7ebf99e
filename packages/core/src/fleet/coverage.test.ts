import { describe, expect, it } from "vitest";
import { nvlinkVerdict, showsLoad, signalState } from "./coverage.ts";
import { FLEET_SIGNAL_NAMES } from "./field.ts";
import { FLEET_SIGNALS, fieldsOf } from "./signals.ts";

const traffic = FLEET_SIGNALS.find(({ name }) => name === "nvlink-bandwidth") ?? {
  name: "nvlink-bandwidth",
  title: "",
  blindTo: "",
  movesUnderLoad: true,
};
const errors = FLEET_SIGNALS.find(({ name }) => name === "nvlink-errors") ?? traffic;

/** dcgm-exporter's etc/default-counters.csv without what is commented out. */
const DEFAULT_FIELDS = [
  "DCGM_FI_DEV_SM_CLOCK",
  "DCGM_FI_DEV_MEM_CLOCK",
  "DCGM_FI_DEV_MEMORY_TEMP",
  "DCGM_FI_DEV_GPU_TEMP",
  "DCGM_FI_DEV_POWER_USAGE",
  "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION",
  "DCGM_FI_DEV_PCIE_REPLAY_COUNTER",
  "DCGM_FI_DEV_GPU_UTIL",
  "DCGM_FI_DEV_MEM_COPY_UTIL",
  "DCGM_FI_DEV_XID_ERRORS",
  "DCGM_FI_DEV_FB_FREE",
  "DCGM_FI_DEV_FB_USED",
  "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
  "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
  "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS",
  "DCGM_FI_DEV_ROW_REMAP_FAILURE",
  "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
  "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
  "DCGM_FI_PROF_DRAM_ACTIVE",
];

describe("coverage", () => {
  it("E7: the exporter's default fields leave NVLink errors, ECC, throttling, the fabric and the host unseen", () => {
    const unseen = FLEET_SIGNALS.filter(
      ({ name }) => !fieldsOf(name).some((field) => [field.name, ...field.aliases].some((each) => DEFAULT_FIELDS.includes(each))),
    );
    expect(unseen.map(({ name }) => name)).toEqual([
      "throttle",
      "ecc",
      "nvlink-errors",
      "fabric-ports",
      "fabric-errors",
      "host",
      "kernel-log",
    ]);
  });

  it("E7: traffic that is always 0 on a busy node is not seen, and on an idle one it is", () => {
    const zero = { series: 8, readings: 24, valid: 24, nonZero: 0 };
    expect(signalState(traffic, zero, true)).toBe("constant-zero");
    expect(signalState(traffic, zero, null)).toBe("constant-zero");
    expect(signalState(traffic, zero, false)).toBe("seen");
    expect(signalState(traffic, { ...zero, nonZero: 1 }, true)).toBe("seen");
    expect(signalState(errors, zero, true)).toBe("seen");
  });

  it("E7: missing, stale and sentinel are told apart", () => {
    expect(signalState(traffic, { series: 0, readings: 0, valid: 0, nonZero: 0 }, true)).toBe("missing");
    expect(signalState(traffic, { series: 8, readings: 0, valid: 0, nonZero: 0 }, true)).toBe("stale");
    expect(signalState(traffic, { series: 8, readings: 24, valid: 0, nonZero: 0 }, true)).toBe("sentinel");
  });

  it("E7: NVLink is never said to be fine where errors are not counted or traffic is not seen", () => {
    expect(nvlinkVerdict("seen", "seen", 0, 0)).toBe("ok");
    for (const state of ["missing", "stale", "sentinel", "constant-zero"] as const) {
      expect(nvlinkVerdict(state, "seen", 0, 0)).toBe("unknown");
      expect(nvlinkVerdict("seen", state, 0, 0)).toBe("unknown");
    }
    expect(nvlinkVerdict("seen", "seen", null, 0)).toBe("unknown");
    expect(nvlinkVerdict("seen", "constant-zero", 0.5, 0)).toBe("errors");
    expect(nvlinkVerdict("seen", "seen", 0, 1)).toBe("unknown");
  });

  it("says what each signal is good for", () => {
    expect(FLEET_SIGNALS.map(({ name }) => name)).toEqual([...FLEET_SIGNAL_NAMES]);
    expect(FLEET_SIGNALS.every(({ title, blindTo }) => title !== "" && blindTo !== "")).toBe(true);
  });

  it("a GPU works above a few percent, and power tells where activity does not", () => {
    expect(showsLoad("%", "activity", 99)).toBe(true);
    expect(showsLoad("", "activity", 0.99)).toBe(true);
    expect(showsLoad("%", "activity", 0.99)).toBe(false);
    expect(showsLoad("W", "power", 480)).toBe(true);
    expect(showsLoad("W", "power", 70)).toBe(false);
    expect(showsLoad("MiB", "memory", 80_000)).toBeNull();
  });
});

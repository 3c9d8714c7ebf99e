import { describe, expect, it } from "vitest";
import { FLEET_SIGNAL_NAMES } from "../field.ts";
import { FLEET_FIELDS, fieldOf, isReading, linkInName, metricName } from "./index.ts";
import { DCGM_SENTINELS } from "./sentinels.ts";

describe.each(FLEET_FIELDS.map((field) => [field.name, field] as const))("field %s", (_, field) => {
  it("says what it is", () => {
    expect(field.title).not.toBe("");
    expect(field.source).not.toBe("");
    expect(field.signal === null || FLEET_SIGNAL_NAMES.includes(field.signal)).toBe(true);
    expect(Number.isInteger(field.digits) && field.digits >= 0).toBe(true);
  });

  it("has bounds in order, and colours within them", () => {
    if (field.min !== null && field.max !== null) expect(field.min).toBeLessThan(field.max);
    if (field.domain === null) return;
    expect(field.domain[0]).toBeLessThan(field.domain[1]);
    if (field.min !== null) expect(field.domain[0]).toBeGreaterThanOrEqual(field.min);
    if (field.max !== null) expect(field.domain[1]).toBeLessThanOrEqual(field.max);
  });

  it("E5: takes none of its sentinels for a reading", () => {
    expect(field.sentinels).toEqual(field.sentinels.toSorted((a, b) => a - b));
    expect(field.sentinels.filter((value) => isReading(field, value))).toEqual([]);
  });

  it("reads 0", () => {
    expect(isReading(field, 0)).toBe(true);
  });
});

describe("the catalogue", () => {
  it("gives a name to one field only", () => {
    const names = FLEET_FIELDS.flatMap((field) => [field.name, ...field.aliases]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("brings every signal", () => {
    const brought = new Set(FLEET_FIELDS.map((field) => field.signal));
    expect(FLEET_SIGNAL_NAMES.filter((name) => !brought.has(name))).toEqual([]);
  });

  it("finds a field under its newest and its older names", () => {
    expect(fieldOf("DCGM_FI_DEV_GPU_TEMP")).toBe(fieldOf("DCGM_FI_DEV_GPU_TEMP_CELSIUS"));
    expect(metricName("DCGM_FI_PROF_SM_ACTIVE")).toBe("DCGM_FI_PROF_SM_UTIL_RATIO");
    expect(metricName("my_own_metric")).toBe("my_own_metric");
    expect(fieldOf("my_own_metric")).toBeNull();
  });

  it("tells the link in a name that DCGM gives each link apart", () => {
    expect(linkInName("DCGM_FI_DEV_NVLINK_TX_THROUGHPUT_L5")).toBe(5);
    expect(linkInName("DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_L17")).toBe(17);
    expect(linkInName("DCGM_FI_PROF_NVLINK_L11_RX_BYTES")).toBe(11);
    expect(linkInName("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_L3_TOTAL")).toBe(3);
    expect(linkInName("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_L3")).toBe(3);
    expect(linkInName("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_TOTAL")).toBeNull();
    expect(linkInName("DCGM_FI_DEV_ECC_SBE_VOL_L2")).toBeNull();
  });

  it.each([
    ["utilisation", "DCGM_FI_DEV_GPU_UTIL"],
    ["temperature", "DCGM_FI_DEV_GPU_TEMP"],
    ["NVLink bytes", "DCGM_FI_PROF_NVLINK_TX_BYTES"],
    ["NVLink 5 byte counter", "DCGM_FI_DEV_NVLINK_COUNT_TX_BYTES"],
  ])("E5: 4294967295, 808334905, a blank int64 and 2^47 are no %s", (_, name) => {
    const field = fieldOf(name);
    if (field === null) throw new Error(`${name} is not in the catalogue`);
    for (const text of ["4294967295", "808334905", "9223372036854775794", "140737488355328.0"])
      expect([text, isReading(field, Number(text))]).toEqual([text, false]);
  });

  it("E5: a 32-bit InfiniBand counter that has reached its end is read", () => {
    const field = fieldOf("node_infiniband_port_transmit_wait_total");
    expect(field !== null && isReading(field, 4294967295)).toBe(true);
  });

  it("NVLink throughput is a rate already, whatever the exporter's TYPE line says", () => {
    expect(fieldOf("DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL")?.kind).toBe("gauge");
  });

  it("the sentinels are those that DCGM's and NVML's headers name", () => {
    expect(DCGM_SENTINELS).toContain(0x7ffffff0);
    expect(DCGM_SENTINELS).toContain(140737488355328 + 3);
    expect(DCGM_SENTINELS).toContain(Number("9223372036854775807"));
  });
});

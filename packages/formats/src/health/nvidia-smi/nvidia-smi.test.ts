import { describe, expect, it } from "vitest";
import { identifySeries } from "@trainwatch/core";
import { collectHealth, type CollectedHealth } from "../collect-health.fixture.ts";
import { NVLINK, SMI_CSV, SMI_QUERY, SMI_XML } from "../samples.fixture.ts";
import { nvidiaSmiParser } from "./smi-text.ts";
import { nvidiaSmiXmlParser } from "./smi-xml.ts";

const UUID = "GPU-9b1f0c3e-1111-2222-3333-444455556666";

/** Values by metric, of the readings whose labels hold these. */
function values({ readings }: CollectedHealth, labels: Readonly<Record<string, string | undefined>>): Readonly<Record<string, number>> {
  const wanted = readings.filter((reading) => Object.entries(labels).every(([name, value]) => reading.labels[name] === value));
  return Object.fromEntries(wanted.map(({ name, value }) => [name, value]));
}

describe("nvidia-smi -q", () => {
  const read = collectHealth(nvidiaSmiParser, SMI_QUERY, { timeZone: "UTC" });

  it("gives readings in the catalogue's names and units, and nothing for what is not available", () => {
    expect(values(read, { UUID, GPU_I_ID: undefined })).toEqual({
      DCGM_FI_DEV_MEM_COPY_UTIL: 40,
      DCGM_FI_DEV_GPU_TEMP_MARGIN_CELSIUS: -3,
      DCGM_FI_DEV_BOARD_POWER_WATTS: 71.27,
      DCGM_FI_DEV_GPU_PSTATE: 2,
      DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS: 12_000,
      DCGM_FI_DEV_FB_TOTAL: 81_559,
      DCGM_FI_DEV_FB_USED: 59,
      DCGM_FI_DEV_PCIE_REPLAY_TOTAL: 9,
      DCGM_FI_DEV_PCIE_LINK_GEN: 4,
      DCGM_FI_DEV_PCIE_LINK_WIDTH: 8,
      nvidia_smi_pcie_tx_bytes_per_second: 359_000,
      DCGM_FI_DEV_GPU_RECOVERY_ACTION: 4,
      DCGM_FI_DEV_ECC_SBE_VOL_DEV: 4,
      DCGM_FI_DEV_ECC_DBE_VOL_DEV: 5,
      DCGM_FI_DEV_ECC_SBE_VOL_SRM: 1,
      DCGM_FI_DEV_ECC_DBE_VOL_SRM: 5,
      DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: 5,
      DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: 10,
      DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 0x4 + 0x8 + 0x40,
    });
  });

  it("keeps a MIG instance apart from its GPU, and each GPU from the other", () => {
    expect(values(read, { UUID, GPU_I_ID: "3" })).toEqual({
      DCGM_FI_DEV_FB_TOTAL: 40_448,
      DCGM_FI_DEV_FB_USED: 26,
      DCGM_FI_DEV_ECC_DBE_VOL_SRM: 2,
    });
    expect(values(read, { gpu: "1" })).toEqual({ DCGM_FI_DEV_GPU_TEMP_CELSIUS: 31 });
    const mig = read.readings.find(({ labels }) => labels["GPU_I_ID"] === "3");
    expect(identifySeries(mig?.name ?? "", mig?.labels ?? {}).entity).toEqual({ kind: "gpu", id: `${UUID}/mig/3` });
  });

  it("names model, driver, VBIOS, serial and place as labels, and its own time", () => {
    expect(read.readings[0]).toMatchObject({
      timeMs: Date.UTC(2025, 2, 2, 4, 55),
      labels: {
        UUID,
        gpu: "0",
        modelName: "NVIDIA H100 80GB HBM3",
        driver_version: "570.86.15",
        vbios_version: "96.00.A5.00.01",
        serial: "1650000000001",
        pci_bus_id: "00000000:3B:00.0",
      },
    });
  });

  it("leaves out a value in another unit or one that failed, and says so with the line", () => {
    const lines = SMI_QUERY.split("\n");
    expect(read.issues).toEqual([
      {
        line: lines.findIndex((line) => line.includes("42 F")) + 1,
        code: "bad-value",
        message: 'DCGM_FI_DEV_GPU_TEMP_CELSIUS was left out: the unit of "42 F" is not C.',
      },
      {
        line: lines.findIndex((line) => line.includes("Unknown Error")) + 1,
        code: "bad-value",
        message: 'DCGM_FI_DEV_MEMORY_TEMP_CELSIUS was left out: nvidia-smi has no value but "Unknown Error".',
      },
    ]);
  });

  it("gives no index where only some of the host's GPUs are shown", () => {
    const shown = collectHealth(nvidiaSmiParser, SMI_QUERY.replace(": 2\n", ": 8\n"));
    expect(shown.readings.some(({ labels }) => "gpu" in labels)).toBe(false);
  });

  it("reads two outputs in one file, each with its time", () => {
    const twice = collectHealth(nvidiaSmiParser, `${SMI_QUERY}\n# and again\n${SMI_QUERY.replace("04:55:00", "04:55:10")}`);
    expect(twice.readings).toHaveLength(2 * read.readings.length);
    expect(new Set(twice.readings.map(({ timeMs }) => timeMs)).size).toBe(2);
  });

  it("makes a GPU that is lost an event, and a driver that is not there an issue", () => {
    const lost = collectHealth(
      nvidiaSmiParser,
      "Unable to determine the device handle for GPU0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU\n",
    );
    expect(lost.events).toMatchObject([{ kind: "gpu-lost", severity: "critical", entity: { kind: "gpu", id: "pci:0000:3b:00" } }]);
    const none = collectHealth(nvidiaSmiParser, "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n");
    expect(none.issues).toMatchObject([{ code: "no-driver", line: 1 }]);
  });
});

describe("nvidia-smi -q -x", () => {
  it("gives the same names as the text, MIG instances too", () => {
    const read = collectHealth(nvidiaSmiXmlParser, SMI_XML, { timeZone: "UTC" });
    expect(values(read, { UUID, GPU_I_ID: undefined })).toEqual({
      DCGM_FI_DEV_GPU_TEMP_CELSIUS: 42,
      DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL: 0,
      DCGM_FI_DEV_ROW_REMAP_PENDING: 1,
      DCGM_FI_DEV_CLOCKS_EVENT_REASONS: 4,
    });
    expect(values(read, { UUID, GPU_I_ID: "3" })).toEqual({ DCGM_FI_DEV_FB_USED: 26 });
    expect(read.readings[0]).toMatchObject({ timeMs: Date.UTC(2025, 2, 2, 4, 55), labels: { gpu: "0", driver_version: "570.86.15" } });
    expect(read.issues).toEqual([]);
  });

  it("expands no entity and reads no document that defines one: a bomb costs nothing", () => {
    const levels = Array.from({ length: 30 }, (_, level) => `<!ENTITY a${level + 1} "&a${level};&a${level};&a${level};&a${level};">`).join(
      "",
    );
    const bomb = `<?xml version="1.0"?><!DOCTYPE nvidia_smi_log [<!ENTITY a0 "x">${levels}]><nvidia_smi_log><gpu><uuid>&a30;</uuid></gpu></nvidia_smi_log>`;
    expect(collectHealth(nvidiaSmiXmlParser, bomb)).toMatchObject({ readings: [], issues: [{ code: "bad-xml" }] });
    const quiet = SMI_XML.replace("42 C", "&#52;2 C");
    expect(collectHealth(nvidiaSmiXmlParser, quiet).issues).toMatchObject([{ code: "zone-assumed" }, { code: "bad-value" }]);
  });

  it.each([
    ["cut short", SMI_XML.slice(0, 600)],
    ["of another kind", "<?xml version='1.0'?><html></html>"],
    ["deep beyond reason", `<nvidia_smi_log>${"<a>".repeat(20_000)}${"</a>".repeat(20_000)}</nvidia_smi_log>`],
  ])("says that a document is damaged: %s", (_, text) => {
    const { readings, issues } = collectHealth(nvidiaSmiXmlParser, text);
    expect(readings).toEqual([]);
    expect(issues.length).toBeLessThanOrEqual(2);
  });
});

describe("nvidia-smi nvlink", () => {
  const read = collectHealth(nvidiaSmiParser, NVLINK);

  it("reads speed and state of each link", () => {
    expect(values(read, { UUID, link: "1" })).toEqual({ nvidia_smi_nvlink_active: 0 });
    expect(values(read, { UUID, link: "0" })).toMatchObject({
      nvidia_smi_nvlink_active: 1,
      nvidia_smi_nvlink_speed_bytes_per_second: 26.562e9,
    });
    const inactive = read.readings.find(({ name, value }) => name === "nvidia_smi_nvlink_active" && value === 0);
    expect(identifySeries(inactive?.name ?? "", inactive?.labels ?? {}).entity).toEqual({ kind: "link", id: `${UUID}/link/1` });
  });

  it("reads error counters, those of NVLink 5 too, as the link's", () => {
    expect(values(read, { UUID, link: "0" })).toMatchObject({
      DCGM_FI_DEV_NVLINK_REPLAY_ERROR_PER_LINK_TOTAL: 1,
      DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_PER_LINK_TOTAL: 2,
      DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL: 3,
    });
    expect(values(read, { gpu: "1", link: "4" })).toEqual({
      DCGM_FI_DEV_NVLINK_RX_PACKET_MALFORMED_TOTAL: 0,
      DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL: 7,
      DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO: 15e-255,
    });
    const replay = read.readings.find(({ name }) => name.includes("REPLAY"));
    expect(identifySeries(replay?.name ?? "", replay?.labels ?? {}).entity).toEqual({ kind: "link", id: `${UUID}/link/0` });
  });
});

describe("nvidia-smi --query-gpu --format=csv", () => {
  it("reads rows by their header, with index, UUID and time, and N/A as absent", () => {
    const read = collectHealth(nvidiaSmiParser, SMI_CSV, { timeZone: "UTC" });
    expect(values(read, { gpu: "4" })).toEqual({ DCGM_FI_DEV_FB_USED: 56_623, DCGM_FI_DEV_GPU_UTIL_RATIO: 97, DCGM_FI_DEV_GPU_PSTATE: 0 });
    expect(values(read, { gpu: "5" })).toEqual({
      DCGM_FI_DEV_FB_USED: 4,
      DCGM_FI_DEV_GPU_UTIL_RATIO: 0,
      DCGM_FI_DEV_GPU_PSTATE: 8,
      DCGM_FI_DEV_BOARD_POWER_WATTS: 71.1,
    });
    expect(read.readings[0]).toMatchObject({ labels: { UUID }, timeMs: Date.UTC(2025, 2, 2, 4, 55, 0, 500) });
  });

  it("names the host where a file holds tables of several", () => {
    const table = "memory.used [MiB], memory.total [MiB], utilization.gpu [%]\n4 MiB, 81559 MiB, 0 %\n5 MiB, 81559 MiB, 1 %\n";
    const { readings } = collectHealth(
      nvidiaSmiParser,
      `Checking GPU memory usage on c11-n07 (1)\n${table}Checking GPU memory usage on c11-n08 (2)\n${table}`,
    );
    expect(
      readings.filter(({ name }) => name === "DCGM_FI_DEV_FB_USED").map(({ labels, value }) => [labels["Hostname"], labels["gpu"], value]),
    ).toEqual([
      ["c11-n07", "0", 4],
      ["c11-n07", "1", 5],
      ["c11-n08", "0", 4],
      ["c11-n08", "1", 5],
    ]);
  });
});

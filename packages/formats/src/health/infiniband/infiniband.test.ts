import { fieldOf, identifySeries } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { collectHealth } from "../collect-health.fixture.ts";
import { IBSTAT, PERFQUERY, SWITCH_INFO, SYSFS } from "../samples.fixture.ts";
import { PORT_COUNTERS, rateOf } from "./port-counters.ts";
import { sysfsJsonParser } from "./sysfs-json.ts";
import { infinibandToolsParser } from "./tools-text.ts";

const tools = (text: string) => collectHealth(infinibandToolsParser, text);
const rows = (text: string) => tools(text).readings.map(({ name, labels, value }) => [name, labels, value]);

describe("InfiniBand", () => {
  it("reads sysfs with node_exporter's names: words as bytes, rates, and no number where there is none", () => {
    const { readings, issues } = collectHealth(sysfsJsonParser, SYSFS);
    expect(readings.map(({ name, labels, value }) => [name, labels, value])).toEqual([
      ["node_infiniband_state_id", { device: "mlx5_0", port: "1" }, 1],
      ["node_infiniband_port_data_received_bytes_total", { device: "mlx5_0", port: "1" }, 100],
      ["node_infiniband_rate_bytes_per_second", { device: "mlx5_0", port: "1" }, 50e9],
      ["node_network_up", { device: "ib0" }, 0],
      ["node_infiniband_info", { device: "mlx5_0", firmware_version: "28.38.1002" }, 1],
    ]);
    expect(issues).toEqual([]);
    expect(identifySeries("node_infiniband_state_id", { device: "mlx5_0", port: "1", nodename: "c11-n07" }).entity).toEqual({
      kind: "port",
      id: "name:c11-n07/port/mlx5_0:1",
    });
  });

  it("says where a JSON of sysfs is damaged, and keeps what stood before", () => {
    const { readings, issues } = collectHealth(sysfsJsonParser, SYSFS.slice(0, 150));
    expect(readings.map(({ value }) => value)).toEqual([1, 100]);
    expect(issues).toMatchObject([{ code: "unfinished-document" }]);
  });

  it("reads perfquery by LID and port, and names what node_exporter does not have", () => {
    expect(rows(PERFQUERY)).toEqual([
      ["node_infiniband_port_data_transmitted_bytes_total", { lid: "12", port: "1" }, 400],
      ["node_infiniband_link_downed_total", { lid: "12", port: "1" }, 3],
      ["infiniband_qp1_dropped_total", { lid: "12", port: "1" }, 2],
    ]);
  });

  it("reads ibstat's states and rate", () => {
    expect(rows(IBSTAT)).toEqual([
      ["node_infiniband_state_id", { device: "mlx5_0", port: "1" }, 1],
      ["node_infiniband_physical_state_id", { device: "mlx5_0", port: "1" }, 2],
      ["node_infiniband_rate_bytes_per_second", { device: "mlx5_0", port: "1" }, 50e9],
    ]);
  });

  it("reads ibnetdiscover in both forms: rates of cables, and ports without one", () => {
    const list =
      "SW  2052 35 0x506b4b03005c2740 4x EDR - CA  1432  1 0x506b4b0300cc02a6 ( 'leaf-1' - 'c11-n07 HCA-1' )\nSW  2052 37 0x506b4b03005c2740 4x ???                                    'leaf-1'\n";
    expect(rows(list)).toEqual([
      ["infiniband_link_up", { guid: "0x506b4b03005c2740", port: "35", lid: "2052", description: "leaf-1" }, 1],
      ["node_infiniband_rate_bytes_per_second", { guid: "0x506b4b03005c2740", port: "35", lid: "2052", description: "leaf-1" }, 12.5e9],
      ["infiniband_link_up", { guid: "0x506b4b03005c2740", port: "37", lid: "2052", description: "leaf-1" }, 0],
    ]);
    const topology =
      'Ca      1 "H-0ff08c4321729742"          # "c11-n07 mlx5_0"\n[1](ff08c4321729742)    "S-0ff08c4321407312"[1]         # lid 516 lmc 0 "leaf-1" lid 164 4xHDR s=4 w=2\n';
    expect(rows(topology)[1]).toEqual([
      "node_infiniband_rate_bytes_per_second",
      { guid: "0x0ff08c4321729742", description: "c11-n07 mlx5_0", port: "1" },
      25e9,
    ]);
  });

  it("reads a switch's health, and leaves out a number that is none", () => {
    const guid = "0x1c34da0300000001";
    const serial = "MT0000X00001";
    expect(rows(SWITCH_INFO)).toEqual([
      ["infiniband_switch_uptime_seconds", { serial, guid }, 86_462],
      ["infiniband_switch_power_supply_ok", { serial, guid, psu: "0" }, 1],
      ["infiniband_switch_power_supply_dc_power_ok", { serial, guid, psu: "0" }, 1],
      ["infiniband_switch_temperature_celsius", { serial, guid }, 45],
      ["infiniband_switch_fan_ok", { serial, guid }, 0],
      ["infiniband_switch_fan_rpm", { serial, guid, fan: "1" }, 8493],
    ]);
    expect(tools(SWITCH_INFO).issues).toMatchObject([{ code: "bad-value", line: 10 }]);
  });

  it("knows rates by width and speed, and has the catalogue's fields for the counters that detectors use", () => {
    expect([rateOf(4, "NDR"), rateOf(1, "SDR"), rateOf(4, "???")]).toEqual([50e9, 0.3125e9, null]);
    const known = PORT_COUNTERS.filter(({ metric }) => fieldOf(metric)?.entity === "port").map(({ file }) => file);
    expect(known).toEqual(
      expect.arrayContaining([
        "counters/symbol_error",
        "counters/link_downed",
        "counters/link_error_recovery",
        "counters/port_rcv_errors",
        "counters/port_xmit_discards",
      ]),
    );
  });
});

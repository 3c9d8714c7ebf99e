import type { FleetEventView } from "@trainwatch/core";
import { T0, gpusOf, linksOf, nodeName, topologyOf, xidEvent } from "./fleet.fixture.ts";
import type { Cell, FieldPlan, Scene } from "./fleet.fixture.ts";

/** Ticks of the scene, and the tick with which each trouble begins. */
export const TICKS = 90;
const FROM = 30;

const topology = topologyOf({ nodes: 16 });
const gpus = gpusOf(topology);
const links = linksOf(topology, 6);
const ports = topology.nodes.map(({ id }) => `${id}/port/mlx5_0:1`);

const noise = (row: number, tick: number): number => Math.sin(row * 12.9898 + tick * 78.233);
const field = (name: string, entities: readonly string[], cell: (row: number, tick: number) => Cell): FieldPlan => ({
  field: name,
  entities,
  cell,
});
const counts = (name: string, entities: readonly string[], row: number, perTick: number): FieldPlan =>
  field(name, entities, (each, tick) => (each === row ? Math.max(0, tick - FROM) * perTick : each % 5));
const state = (name: string, entities: readonly string[], row: number, bad: number, healthy: number): FieldPlan =>
  field(name, entities, (each, tick) => (each === row && tick >= FROM && tick < FROM + 30 ? bad : healthy));

/** A fleet on which every detector has something to say, some of which comes and goes. */
export function troubledScene(): Scene {
  return {
    topology,
    fields: FIELDS,
    events: (tick) => EVENTS[tick] ?? [],
    silentMs: (node, tick) => (node === 13 && tick >= FROM ? (tick - FROM + 1) * 10_000 : 0),
  };
}

const FIELDS: readonly FieldPlan[] = [
  field("DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", gpus, (row, tick) => (row === 3 && tick >= FROM ? 0.01 : 0.95 + 0.02 * noise(row, tick))),
  field("DCGM_FI_DEV_GPU_TEMP_CELSIUS", gpus, (row, tick) =>
    row === 9 && tick >= FROM ? "none" : Math.round(60 + 2 * noise(row, tick)) + (row === 5 && tick >= FROM ? 20 : 0),
  ),
  field("DCGM_FI_DEV_SM_CLOCK", gpus, (row, tick) => 1_900 + 20 * noise(row, tick) - (row === 6 && tick >= FROM ? 800 : 0)),
  field("DCGM_FI_DEV_THERMAL_VIOLATION", gpus, (row, tick) => (row === 7 ? Math.max(0, tick - FROM) * 5e9 : 0)),
  field("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", gpus, (row, tick) => (row === 8 && tick >= FROM ? 0x80 : 0)),
  counts("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", gpus, 10, 1),
  state("DCGM_FI_DEV_ROW_REMAP_PENDING", gpus, 11, 1, 0),
  state("DCGM_FI_DEV_PAGE_RETIRED_PENDING", gpus, 12, 1, 0),
  state("DCGM_FI_DEV_GPU_RECOVERY_ACTION", gpus, 14, 1, 0),
  state("DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY", gpus, 15, 2, 1),
  state("DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO", gpus, 16, 1e-10, 1e-15),
  counts("DCGM_FI_DEV_NVLINK_RECOVERY_FAILED_TOTAL", gpus, 17, 1),
  counts("DCGM_FI_DEV_PCIE_REPLAY_TOTAL", gpus, 18, 400),
  field("DCGM_FI_PROF_NVLINK_TX_BYTES", gpus, (row, tick) => 3e11 * (1 + 0.01 * noise(row, tick)) * (row === 19 && tick >= FROM ? 0.6 : 1)),
  counts("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_PER_LINK_TOTAL", links, 121, 30),
  state("DCGM_FI_DEV_NVLINK_GET_STATE", links, 130, 0, 1),
  state("node_infiniband_state_id", ports, 2, 1, 4),
  counts("node_infiniband_link_downed_total", ports, 2, 0.1),
  counts("node_infiniband_symbol_error_total", ports, 3, 50),
];

const at = (tick: number): number => T0 + tick * 10_000 - 3_000;
const EVENTS: Readonly<Record<number, readonly FleetEventView[]>> = {
  31: [xidEvent({ code: 79, node: 4, gpu: 1, timeMs: at(31) }), xidEvent({ code: 13, node: 5, gpu: 2, timeMs: at(31) })],
  32: Array.from({ length: 12 }, (_, node) => xidEvent({ code: 45, node, timeMs: at(32) })),
  34: [
    xidEvent({
      code: 20034,
      node: 6,
      kind: "sxid",
      entity: { kind: "switch", id: `${nodeName(6)}/switch/0` },
      text: "SXid (PCI:0000:c1:00.0): 20034, Fatal, Link 30 LTSSM Fault Up",
      timeMs: at(34),
    }),
  ],
  40: [xidEvent({ code: 31, node: 5, gpu: 2, timeMs: at(40) })],
  50: [xidEvent({ code: 0, node: 6, kind: "reboot", entity: null, timeMs: at(50) })],
};

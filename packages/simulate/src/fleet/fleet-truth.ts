import type { FleetFault, FleetFaultKind } from "./fleet-fault.ts";
import { linkFieldName } from "./gpu-fields.ts";
import { bootAt } from "./inventory.ts";
import type { NodeState } from "./node-state.ts";

/** What was done to a fleet, for judging what is said about it. */
export interface FleetTruth {
  readonly kind: FleetFaultKind;
  readonly host: string;
  readonly machineId: string;
  /** UUID of the GPU that sat in the slot at `atMs`; null for faults of a node. */
  readonly gpuUuid: string | null;
  readonly link: number | null;
  readonly atMs: number;
  /** Null: to the end. */
  readonly untilMs: number | null;
  /** Fields that show it, by their classic names; what is missing rather than wrong is not listed. */
  readonly fields: readonly string[];
  /** The code that the kernel's log names. */
  readonly xid: number | null;
  /** UUID of the GPU that is there after a replacement. */
  readonly replacedBy: string | null;
}

export function truthOf(fault: FleetFault, state: NodeState): FleetTruth {
  const { identity } = state;
  const before = bootAt(identity, fault.atMs - 1);
  const after = identity.boots.find(({ bootMs }) => bootMs > fault.atMs);
  const slot = "gpu" in fault ? fault.gpu : null;
  return {
    kind: fault.kind,
    host: identity.host,
    machineId: identity.machineId,
    gpuUuid: slot === null ? null : (before.chips[slot]?.uuid ?? null),
    link: "link" in fault ? fault.link : null,
    atMs: fault.atMs,
    untilMs: fault.untilMs ?? null,
    fields: fieldsOf(fault),
    xid: xidOf(fault),
    replacedBy: fault.kind === "gpu-replaced" ? (after?.chips[fault.gpu]?.uuid ?? null) : null,
  };
}

function xidOf(fault: FleetFault): number | null {
  switch (fault.kind) {
    case "xid":
      return fault.code;
    case "row-remap":
      return fault.failed ? 64 : 63;
    case "ecc":
      return fault.uncorrected > 0 ? 48 : null;
    case "link-down":
      return 74;
    default:
      return null;
  }
}

const XID_FIELDS = ["DCGM_FI_DEV_XID_ERRORS", "DCGM_EXP_XID_ERRORS_COUNT"];

function fieldsOf(fault: FleetFault): readonly string[] {
  switch (fault.kind) {
    case "hot-gpu":
      return (fault.slowsStepBy ?? 1) > 1 ? [...HOT_FIELDS, ...THROTTLED_FIELDS] : HOT_FIELDS;
    case "link-errors":
      return [
        ...linkFields(fault.link, ["crc", "tx", "rx", "replay"]),
        "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
        "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
        "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
      ];
    case "link-slow":
      return [...linkFields(fault.link, ["tx", "rx"]), "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL"];
    case "link-down":
      return [
        ...linkFields(fault.link, ["state", "tx", "rx"]),
        "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
        "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
        ...XID_FIELDS,
      ];
    case "xid":
      return XID_FIELDS;
    case "ecc":
      return ["DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", ...(fault.uncorrected > 0 ? ["DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", ...XID_FIELDS] : [])];
    case "row-remap":
      return [
        "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
        "DCGM_FI_DEV_ROW_REMAP_PENDING",
        ...(fault.failed ? ["DCGM_FI_DEV_ROW_REMAP_FAILURE"] : []),
        ...XID_FIELDS,
      ];
    case "sentinel":
      return [fault.field];
    case "clock-off":
      return ["node_time_seconds", "node_timex_offset_seconds", "node_timex_sync_status"];
    case "port-down":
      return PORT_DOWN_FIELDS.map((field) => `node_infiniband_${field}`);
    case "port-errors":
      return PORT_ERROR_FIELDS.map((field) => `node_infiniband_${field}`);
    case "node-lost":
    case "gpu-replaced":
    case "index-swap":
      return ["node_boot_time_seconds"];
    case "exporter-restart":
      return ["process_start_time_seconds"];
    case "exporter-silent":
    case "exporter-upgrade":
    case "default-fields":
      return [];
  }
}

const HOT_FIELDS = ["DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_MEMORY_TEMP"];
const THROTTLED_FIELDS = [
  "DCGM_FI_DEV_SM_CLOCK",
  "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS",
  "DCGM_FI_DEV_THERMAL_VIOLATION",
  "DCGM_FI_DEV_POWER_USAGE",
  "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
  "DCGM_FI_PROF_DRAM_ACTIVE",
];
/** What stands still while a port is down, and what says that it is. */
const PORT_DOWN_FIELDS = [
  "link_downed_total",
  "physical_state_id",
  "port_data_received_bytes_total",
  "port_data_transmitted_bytes_total",
  "port_packets_received_total",
  "port_packets_transmitted_total",
  "port_transmit_wait_total",
  "state_id",
];
const PORT_ERROR_FIELDS = [
  "link_error_recovery_total",
  "port_discards_transmitted_total",
  "port_errors_received_total",
  "symbol_error_total",
];

function linkFields(link: number, of: readonly Parameters<typeof linkFieldName>[0][]): readonly string[] {
  return of.map((each) => linkFieldName(each, link, "classic"));
}

import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { DCGM_SENTINELS } from "./sentinels.ts";

const GPU: FieldFamily = { entity: "gpu", signal: null, sentinels: DCGM_SENTINELS, source: "DCGM 4.6 dcgm_fields.h" };
const SWITCH: FieldFamily = { ...GPU, entity: "switch" };

/** Fabric manager, IMEX and NVSwitches. SXid fields hold the last code like the XID gauge does. The header names no unit of the switch counters. */
export const DCGM_FABRIC_FIELDS: readonly FleetField[] = [
  defineField(GPU, "DCGM_FI_DEV_FABRIC_MANAGER_STATUS", "Fabric manager status", { kind: "state", max: 64 }),
  defineField(GPU, "DCGM_FI_DEV_FABRIC_MANAGER_ERROR", "Fabric manager start failure", {
    kind: "state",
    max: 2 ** 20,
    aliases: ["DCGM_FI_DEV_FABRIC_MANAGER_ERROR_CODE"],
  }),
  defineField(GPU, "DCGM_FI_DEV_FABRIC_HEALTH_MASK", "Fabric health, as bits", { kind: "state", max: 2 ** 31 }),
  defineField(GPU, "DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY", "Fabric health summary", { kind: "state", max: 64 }),
  defineField({ ...GPU, entity: "node" }, "DCGM_FI_IMEX_DOMAIN_STATUS", "IMEX domain status", { kind: "state", max: 64 }),
  defineField({ ...GPU, entity: "node" }, "DCGM_FI_IMEX_DAEMON_STATUS", "IMEX daemon status", { kind: "state", min: -16, max: 64 }),
  defineField(SWITCH, "DCGM_FI_DEV_SXID_FATAL_ERROR", "Last fatal SXid", {
    kind: "last-event",
    max: 100_000,
    aliases: ["DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS"],
  }),
  defineField(SWITCH, "DCGM_FI_DEV_SXID_NON_FATAL_ERROR", "Last non-fatal SXid", {
    kind: "last-event",
    max: 100_000,
    aliases: ["DCGM_FI_DEV_NVSWITCH_NON_FATAL_ERRORS"],
  }),
  defineField(SWITCH, "DCGM_FI_DEV_NVSWITCH_TEMP_CELSIUS", "NVSwitch temperature", {
    unit: "°C",
    min: -40,
    max: 200,
    aliases: ["DCGM_FI_DEV_NVSWITCH_TEMPERATURE_CURRENT"],
  }),
  defineField(SWITCH, "DCGM_FI_DEV_NVSWITCH_THROUGHPUT_TX", "NVSwitch traffic sent", { kind: "counter" }),
  defineField(SWITCH, "DCGM_FI_DEV_NVSWITCH_THROUGHPUT_RX", "NVSwitch traffic received", { kind: "counter" }),
  ...["REPLAY", "RECOVERY", "FLIT", "CRC", "ECC"].map((of) =>
    defineField(SWITCH, `DCGM_FI_DEV_NVSWITCH_LINK_${of}_ERROR_TOTAL`, `NVSwitch link ${of.toLowerCase()} errors`, {
      kind: "counter",
      max: 2 ** 50,
      aliases: [`DCGM_FI_DEV_NVSWITCH_LINK_${of}_ERRORS`],
    }),
  ),
  defineField(SWITCH, "DCGM_FI_DEV_NVSWITCH_LINK_FATAL_ERRORS", "NVSwitch link: last fatal SXid", { kind: "last-event", max: 100_000 }),
  defineField(SWITCH, "DCGM_FI_DEV_NVSWITCH_LINK_NON_FATAL_ERRORS", "NVSwitch link: last non-fatal SXid", {
    kind: "last-event",
    max: 100_000,
  }),
];

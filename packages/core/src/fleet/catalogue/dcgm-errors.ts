import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { DCGM_SENTINELS } from "./sentinels.ts";

const family = (signal: FieldFamily["signal"], source = "DCGM 4.6 dcgm_fields.h"): FieldFamily => ({
  entity: "gpu",
  signal,
  sentinels: DCGM_SENTINELS,
  source,
});

const ECC = family("ecc");
const REMAP = family("row-remap");
const XID = family("xid");

/** A count that a person could still believe; ECC counters of a dying GPU reach some millions. */
const COUNTER = { kind: "counter", max: 2 ** 40 } as const;
const FLAG = { kind: "state", max: 1 } as const;

/** What a GPU's memory and driver say is wrong. An XID is at most a few hundred; the gauge keeps the last one for ever (E1). */
export const DCGM_ERROR_FIELDS: readonly FleetField[] = [
  defineField(XID, "DCGM_FI_DEV_XID_ERROR", "Last XID", { kind: "last-event", max: 2_000, aliases: ["DCGM_FI_DEV_XID_ERRORS"] }),
  defineField(family("xid", "dcgm-exporter README"), "DCGM_EXP_XID_ERRORS_COUNT", "XIDs within the exporter's window", {
    kind: "windowed-count",
    max: 2 ** 40,
  }),
  defineField(family("xid", "dcgm-exporter README"), "DCGM_EXP_XID_ERRORS_TOTAL", "XIDs since the exporter started", COUNTER),
  defineField(XID, "DCGM_FI_DEV_GPU_RECOVERY_ACTION", "Recovery action asked by the driver (0 is none)", {
    kind: "state",
    max: 16,
    aliases: ["DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION"],
  }),
  defineField(family(null, "dcgm-exporter README"), "DCGM_EXP_GPU_HEALTH_STATUS", "Health status of DCGM (0 pass, 10 warn, 20 fail)", {
    kind: "state",
    max: 100,
  }),

  defineField(ECC, "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "Corrected memory errors since boot", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "Uncorrected memory errors since boot", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_SBE_AGG_TOTAL", "Corrected memory errors of its life", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL", "Uncorrected memory errors of its life", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_SBE_VOL_DEV", "Corrected device memory errors since boot", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_DBE_VOL_DEV", "Uncorrected device memory errors since boot", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_SBE_VOL_SRM", "Corrected SRAM errors since boot", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_DBE_VOL_SRM", "Uncorrected SRAM errors since boot", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_SBE_AGG_SRM", "Corrected SRAM errors of its life", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_ECC_DBE_AGG_SRM", "Uncorrected SRAM errors of its life", COUNTER),
  defineField(ECC, "DCGM_FI_DEV_SRAM_EXCEEDED", "SRAM error threshold exceeded", { ...FLAG, aliases: ["DCGM_FI_DEV_THRESHOLD_SRM"] }),

  defineField(REMAP, "DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", "Rows remapped for uncorrectable errors", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS"],
  }),
  defineField(REMAP, "DCGM_FI_DEV_ROW_REMAP_CORRECTABLE_TOTAL", "Rows remapped for correctable errors", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS"],
  }),
  defineField(REMAP, "DCGM_FI_DEV_ROW_REMAP_FAILED", "Row remapping has failed", { ...FLAG, aliases: ["DCGM_FI_DEV_ROW_REMAP_FAILURE"] }),
  defineField(REMAP, "DCGM_FI_DEV_ROW_REMAP_PENDING", "Row remapping waits for a reset", FLAG),
  defineField(REMAP, "DCGM_FI_DEV_PAGE_RETIRED_SBE_TOTAL", "Pages retired for single-bit errors", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_RETIRED_SBE"],
  }),
  defineField(REMAP, "DCGM_FI_DEV_PAGE_RETIRED_DBE_TOTAL", "Pages retired for double-bit errors", {
    ...COUNTER,
    aliases: ["DCGM_FI_DEV_RETIRED_DBE"],
  }),
  defineField(REMAP, "DCGM_FI_DEV_PAGE_RETIRED_PENDING", "Pages whose retirement waits for a reset", {
    kind: "state",
    max: 2 ** 20,
    aliases: ["DCGM_FI_DEV_RETIRED_PENDING"],
  }),
  defineField(REMAP, "DCGM_FI_DEV_MEMORY_UNREPAIRABLE", "Memory cannot be repaired any more", {
    ...FLAG,
    aliases: ["DCGM_FI_DEV_MEMORY_UNREPAIRABLE_FLAG"],
  }),
];

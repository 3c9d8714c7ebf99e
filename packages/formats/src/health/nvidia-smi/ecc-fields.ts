/**
 * Memory errors, which outputs and drivers part differently: an uncorrectable error of the SRAM is one number, or (since 550) parity and SEC-DED
 * apart. DCGM's totals are the sums over both memories.
 */
export const ECC_SPANS = [
  {
    span: "volatile",
    metrics: {
      dramCorrected: "DCGM_FI_DEV_ECC_SBE_VOL_DEV",
      dramUncorrected: "DCGM_FI_DEV_ECC_DBE_VOL_DEV",
      sramCorrected: "DCGM_FI_DEV_ECC_SBE_VOL_SRM",
      sramUncorrected: "DCGM_FI_DEV_ECC_DBE_VOL_SRM",
      corrected: "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL",
      uncorrected: "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
    },
  },
  {
    span: "aggregate",
    metrics: {
      dramCorrected: null,
      dramUncorrected: null,
      sramCorrected: "DCGM_FI_DEV_ECC_SBE_AGG_SRM",
      sramUncorrected: "DCGM_FI_DEV_ECC_DBE_AGG_SRM",
      corrected: "DCGM_FI_DEV_ECC_SBE_AGG_TOTAL",
      uncorrected: "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL",
    },
  },
] as const;
export type EccSpan = (typeof ECC_SPANS)[number];
export type EccPart =
  | "dramCorrected"
  | "dramUncorrected"
  | "sramCorrected"
  | "sramUncorrected"
  | "sramParity"
  | "sramSecded"
  | "corrected"
  | "uncorrected";

/** Where each part stands. Total columns of the CSV are DCGM's totals already; so are those of drivers before 450 (`single_bit/total`). */
export const ECC_PARTS: readonly { readonly part: EccPart; readonly text: string; readonly xml: string; readonly csv: string }[] = [
  { part: "dramCorrected", text: "dram_correctable", xml: "dram_correctable", csv: "corrected.SPAN.dram" },
  { part: "dramUncorrected", text: "dram_uncorrectable", xml: "dram_uncorrectable", csv: "uncorrected.SPAN.dram" },
  { part: "sramCorrected", text: "sram_correctable", xml: "sram_correctable", csv: "corrected.SPAN.sram" },
  { part: "sramUncorrected", text: "sram_uncorrectable", xml: "sram_uncorrectable", csv: "uncorrected.SPAN.sram" },
  { part: "sramParity", text: "sram_uncorrectable_parity", xml: "sram_uncorrectable_parity", csv: "uncorrected.SPAN.sram.parity" },
  { part: "sramSecded", text: "sram_uncorrectable_sec-ded", xml: "sram_uncorrectable_secded", csv: "uncorrected.SPAN.sram.secded" },
  { part: "corrected", text: "single_bit/total", xml: "single_bit/total", csv: "corrected.SPAN.total" },
  { part: "uncorrected", text: "double_bit/total", xml: "double_bit/total", csv: "uncorrected.SPAN.total" },
];

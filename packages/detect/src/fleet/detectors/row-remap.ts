import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import { stateBody } from "../engine/state-conditions.ts";
import type { StateCondition } from "../engine/state-conditions.ts";
import { say } from "../engine/words.ts";

const PARAMETERS = [
  { name: "row_limit", value: 512, unit: "rows", meaning: "Rows remapped for uncorrectable errors at which no more can be remapped" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

const MEMORY = [{ fact: "node-memory-error", value: 0 }] as const;

const CONDITIONS: readonly StateCondition<Name>[] = [
  {
    what: "row remap failed",
    fields: ["DCGM_FI_DEV_ROW_REMAP_FAILED", "nvidia_smi_remapped_rows_failure", "DCGM_FI_DEV_MEMORY_UNREPAIRABLE"],
    kind: "gpu",
    readings: 1,
    judge: (value) => (value >= 1 ? "critical" : null),
    says: () => "could not remap a bad row of its memory",
    speaksFor: "Row remapping has failed: the GPU is on the way to being returned",
    speaksAgainst: "The flag does not say when it failed, only that it has",
    facts: () => MEMORY,
  },
  {
    what: "row remap pending",
    fields: ["DCGM_FI_DEV_ROW_REMAP_PENDING", "nvidia_smi_remapped_rows_pending"],
    kind: "gpu",
    readings: 1,
    judge: (value) => (value >= 1 ? "warning" : null),
    says: () => "has a remapped row of memory that waits for a reset",
    speaksFor: "A remap is pending: the bad row is in use until the GPU is reset",
    speaksAgainst: "Remapping works: spare rows were left",
    facts: () => MEMORY,
  },
  {
    what: "row remap limit",
    fields: ["DCGM_FI_DEV_ROW_REMAP_UNCORRECTABLE_TOTAL", "nvidia_smi_remapped_rows_uncorrectable"],
    kind: "gpu",
    readings: 1,
    judge: (value, chosen) => (value >= chosen("row_limit") ? "warning" : null),
    says: ({ value }) => `has ${say(value ?? 0)} rows remapped for uncorrectable errors, which is all that it can`,
    speaksFor: "The number of remapped rows has reached the limit",
    speaksAgainst: "No remap has failed by this count alone",
    facts: () => MEMORY,
  },
];

export const rowRemap = defineFleetDetector(
  {
    id: "row-remap",
    version: 1,
    title: "Memory rows remapped",
    finds: "A GPU whose bad memory rows could not be remapped, wait for a reset, or have used up the spares.",
    source: "NVIDIA GPU memory error management: failed means return, pending means reset, 512 rows is the limit; detection.md C.1",
    fields: CONDITIONS.flatMap(({ fields }) => fields),
  },
  PARAMETERS,
  (kit) => stateBody(kit, CONDITIONS),
);

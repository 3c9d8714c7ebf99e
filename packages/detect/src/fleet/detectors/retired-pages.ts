import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import { stateBody } from "../engine/state-conditions.ts";
import type { StateCondition } from "../engine/state-conditions.ts";
import { say } from "../engine/words.ts";

const PARAMETERS = [
  { name: "page_limit", value: 63, unit: "pages", meaning: "Retired pages from which the GPU is to be returned" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

const CONDITIONS: readonly StateCondition<Name>[] = [
  {
    what: "retired pages pending",
    fields: ["DCGM_FI_DEV_PAGE_RETIRED_PENDING"],
    kind: "gpu",
    readings: 1,
    judge: (value) => (value >= 1 ? "warning" : null),
    says: ({ value }) => `has ${say(value ?? 0)} bad memory pages that are still in use until a reset`,
    speaksFor: "Retirement is pending",
    speaksAgainst: "Retirement works: it takes effect with the next reset",
    facts: () => [{ fact: "node-memory-error", value: 0 }],
  },
  ...(["DCGM_FI_DEV_PAGE_RETIRED_DBE_TOTAL", "DCGM_FI_DEV_PAGE_RETIRED_SBE_TOTAL"] as const).map((field): StateCondition<Name> => ({
    what: `retired pages limit ${field.includes("DBE") ? "double" : "single"}`,
    fields: [field],
    kind: "gpu",
    readings: 1,
    judge: (value, chosen) => (value >= chosen("page_limit") ? "warning" : null),
    says: ({ value }) => `has retired ${say(value ?? 0)} pages of its memory`,
    speaksFor: "As many pages are retired as make a GPU one to return (before Ampere)",
    speaksAgainst: "Retired pages are out of use and harm nothing themselves",
    facts: () => [{ fact: "node-memory-error", value: 0 }],
  })),
];

export const retiredPages = defineFleetDetector(
  {
    id: "retired-pages",
    version: 1,
    title: "Retired memory pages",
    finds: "A GPU (before Ampere) whose retired pages wait for a reset or have reached the number at which it is returned.",
    source: "DCGM 4.6 health checks: 63 retired pages or more fail; NVIDIA dynamic page retirement; detection.md C.1",
    fields: CONDITIONS.flatMap(({ fields }) => fields),
  },
  PARAMETERS,
  (kit) => stateBody(kit, CONDITIONS),
);

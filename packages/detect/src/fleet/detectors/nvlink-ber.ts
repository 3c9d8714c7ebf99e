import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import { stateBody } from "../engine/state-conditions.ts";
import type { StateCondition } from "../engine/state-conditions.ts";
import { say } from "../engine/words.ts";

const PARAMETERS = [
  { name: "limit", value: 1e-12, unit: "errors a bit", meaning: "Effective bit error rate above which a link fails its check" },
  { name: "readings", value: 3, unit: "readings", meaning: "Readings in a row above it" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

const CONDITION: Omit<StateCondition<Name>, "readings"> = {
  what: "nvlink bit error rate",
  fields: ["DCGM_FI_DEV_NVLINK_EFFECTIVE_BER_RATIO"],
  kind: "gpu",
  judge: (value, chosen) => (value > chosen("limit") ? "warning" : null),
  says: ({ peak }) => `has NVLinks with an effective bit error rate of ${say(peak ?? 0)}`,
  speaksFor: "After correction more bits are wrong than DCGM lets pass",
  speaksAgainst: "What is left over is sent again: it costs bandwidth and no data",
  facts: () => [{ fact: "link-errors", value: null }],
};

export const nvlinkBer = defineFleetDetector(
  {
    id: "nvlink-ber",
    version: 1,
    title: "NVLink bit error rate",
    finds: "A GPU whose NVLink 5 links have an effective bit error rate above the limit.",
    source: "DCGM fields 1217 and 1218: effective BER above 1e-12 fails; detection.md C.1",
    fields: CONDITION.fields,
  },
  PARAMETERS,
  (kit) => stateBody(kit, [{ ...CONDITION, readings: kit.chosen("readings") }]),
);

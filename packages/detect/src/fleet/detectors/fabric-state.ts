import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import { stateBody } from "../engine/state-conditions.ts";
import type { StateCondition } from "../engine/state-conditions.ts";

const PARAMETERS = [
  {
    name: "readings",
    value: 2,
    unit: "readings",
    meaning: "Readings in a row that must say so: a state passes through others while it is set up",
  },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

const FAILED = 4;
const UNHEALTHY = 2;
const LIMITED = 3;

const conditions = (readings: number): readonly StateCondition<Name>[] => [
  {
    what: "fabric manager",
    fields: ["DCGM_FI_DEV_FABRIC_MANAGER_STATUS"],
    kind: "gpu",
    readings,
    judge: (value) => (value === FAILED ? "critical" : null),
    says: () => "could not join the NVLink fabric: the fabric manager failed",
    speaksFor: "Status 4: the fabric's set-up has failed for this GPU",
    speaksAgainst: "The switches or the manager of the node may be the cause and not the GPU",
    facts: () => [{ fact: "link-down", value: null }],
  },
  {
    what: "fabric health",
    fields: ["DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY"],
    kind: "gpu",
    readings,
    judge: (value) => (value === UNHEALTHY ? "critical" : value === LIMITED ? "warning" : null),
    says: ({ value }) => (value === LIMITED ? "has less of the NVLink fabric than it should" : "is not healthy on the NVLink fabric"),
    speaksFor: "Health summary of the fabric: 2 is unhealthy, 3 is limited capacity",
    speaksAgainst: "The summary does not say at which end of a link the trouble is",
    facts: () => [{ fact: "link-down", value: null }],
  },
];

export const fabricState = defineFleetDetector(
  {
    id: "fabric-state",
    version: 1,
    title: "NVLink fabric state",
    finds: "A GPU that the fabric manager could not bring into the NVLink fabric, or whose fabric is not healthy.",
    source: "DCGM 4.6 fields 170 to 175 (fabric manager status, health summary of NVML); detection.md C.1",
    fields: conditions(1).flatMap(({ fields }) => fields),
  },
  PARAMETERS,
  (kit) => stateBody(kit, conditions(kit.chosen("readings"))),
);

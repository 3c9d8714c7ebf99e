import { HOLD_PARAMETERS } from "../engine/choose.ts";
import { defineFleetDetector } from "../engine/define.ts";
import { stateBody } from "../engine/state-conditions.ts";
import type { StateCondition } from "../engine/state-conditions.ts";

/** `nvmlDeviceGpuRecoveryAction_t`. */
const ACTIONS = ["none", "reset the GPU", "reboot the node", "drain peer-to-peer traffic", "drain and reset"] as const;

const PARAMETERS = [
  { name: "readings", value: 1, unit: "readings", meaning: "Readings in a row that must ask for an action" },
  ...HOLD_PARAMETERS,
] as const;
type Name = (typeof PARAMETERS)[number]["name"];

const CONDITION: Omit<StateCondition<Name>, "readings"> = {
  what: "recovery action",
  fields: ["DCGM_FI_DEV_GPU_RECOVERY_ACTION", "nvidia_smi_gpu_recovery_action"],
  kind: "gpu",
  judge: (value) => (value >= 1 ? "critical" : null),
  says: ({ value }) => `is asked to be recovered by its driver: ${ACTIONS[value ?? 0] ?? `action ${value}`}`,
  speaksFor: "The driver itself asks for it: the best single field to act on",
  speaksAgainst: "The action says what to do and not why: the XID beside it does",
  facts: () => [{ fact: "gpu-error", value: 154 }],
};

export const recoveryAction = defineFleetDetector(
  {
    id: "recovery-action",
    version: 1,
    title: "Recovery asked by the driver",
    finds: "A GPU whose driver asks for a reset, a reboot or a drain.",
    source: "DCGM field 1523 and XID 154: any value but none asks for action; detection.md C.1",
    fields: CONDITION.fields,
  },
  PARAMETERS,
  (kit) => stateBody(kit, [{ ...CONDITION, readings: kit.chosen("readings") }]),
);

import type { FleetField } from "../field.ts";
import { type FieldFamily, defineField } from "./define-field.ts";
import { NO_SENTINELS } from "./sentinels.ts";

const OWN: FieldFamily = { entity: "node", signal: null, sentinels: NO_SENTINELS, source: "trainwatch agent" };

/** What our own agent says of itself, by its source. */
export const AGENT_FIELDS: readonly FleetField[] = [
  // With the label kind="kmsg" it says whether the kernel's log is read.
  defineField({ ...OWN, signal: "kernel-log" }, "trainwatch_agent_source_up", "Agent source works", { kind: "state", max: 1 }),
  defineField(OWN, "trainwatch_agent_source_failures_total", "Agent source failures", { kind: "counter" }),
];

import type { DetectorParameter } from "../../contract.ts";
import { parametersOf } from "../../parameters.ts";
import type { FleetContext, FleetDetectorEntry } from "../contract.ts";

/** A parameter as an entry lists it. */
export interface FleetParameter<Name extends string = string> extends DetectorParameter {
  readonly name: Name;
}

/** A parameter in force, by name: what the context says, else the default. */
export type Chosen<Name extends string> = (name: Name) => number;

export function choose<Name extends string>(id: string, parameters: readonly FleetParameter<Name>[], context: FleetContext): Chosen<Name> {
  const values = parametersOf({ id, parameters }, { parameters: { [id]: context.parameters ?? {} } });
  return (name) => values[name];
}

/** How long a finding is held open after its trouble, and for how long trouble that comes back is the same finding (G1). */
export const HOLD_PARAMETERS = [
  { name: "clear_s", value: 180, unit: "s", meaning: "So long without the trouble, with readings that say so, and the finding is over" },
  { name: "fold_s", value: 1_800, unit: "s", meaning: "Trouble that comes back within so long is the same finding, counted" },
] as const satisfies readonly FleetParameter[];

/** An entry's fields but for what `defineFleetDetector` adds. */
export type FleetManual = Omit<FleetDetectorEntry, "create" | "parameters">;

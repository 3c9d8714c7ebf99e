import type { DetectorInstance } from "../contract.ts";
import { SHIFT_PARAMETERS } from "./parameters.ts";
import type { ShiftState } from "./shift-state.ts";

/** Fewest points until the first baseline: its least length and the lag of a short log. */
const FEWEST = SHIFT_PARAMETERS.minWindow + 2;

/** Whether the engine has judged anything, and if not, why. `what` names the series in words. */
export function shiftCoverage(state: ShiftState, what: string): ReturnType<DetectorInstance["coverage"]> {
  if (state.seen === 0) return { sees: false, why: `no ${what} is logged` };
  if (state.judged === 0)
    return { sees: false, why: `too short: ${state.ring.steps.length} points of ${what}, a baseline needs ${FEWEST}` };
  return { sees: true, why: null };
}

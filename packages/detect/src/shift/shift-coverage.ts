import type { DetectorInstance } from "../contract.ts";
import type { ShiftParameters } from "./parameters.ts";
import type { ShiftState } from "./shift-state.ts";

/** The lag of a short log, which its first baseline leaves out. */
const SHORT_LAG = 2;

/** Whether the engine has judged anything, and if not, why. `what` names the series in words. */
export function shiftCoverage(
  state: ShiftState,
  what: string,
  { minWindow, lag }: Pick<ShiftParameters, "minWindow" | "lag">,
): ReturnType<DetectorInstance["coverage"]> {
  if (state.seen === 0) return { sees: false, why: `no ${what} is logged` };
  if (state.judged === 0)
    return {
      sees: false,
      why: `too short: ${state.ring.steps.length} points of ${what}, a baseline needs ${minWindow + Math.min(lag, SHORT_LAG)}`,
    };
  return { sees: true, why: null };
}

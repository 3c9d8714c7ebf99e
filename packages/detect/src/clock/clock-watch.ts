import type { MonitorContext } from "../contract.ts";
import { restoreState, storeState } from "../json-state.ts";
import { checkpointFailed, newFailed, observeFailed } from "./checkpoint-failed.ts";
import type { FailedState } from "./checkpoint-failed.ts";
import { checkpointLate, newLate, observeLate } from "./checkpoint-late.ts";
import type { LateState } from "./checkpoint-late.ts";
import type { ClockWatch } from "./contract.ts";
import type { ClockDetectorEntry } from "./entry.ts";
import { hang, newHang, observeHang } from "./hang.ts";
import type { HangState } from "./hang.ts";

/** Every clock detector. */
export const CLOCK_DETECTORS = [hang, checkpointLate, checkpointFailed] as const satisfies readonly ClockDetectorEntry[];

interface ClockState {
  hang: HangState;
  late: LateState;
  failed: FailedState;
}

/** One number that grows whenever a clock detector's state takes another shape. */
const VERSION = CLOCK_DETECTORS.reduce((sum, { version }) => sum + version, 0);

const fresh = (): ClockState => ({ hang: newHang(), late: newLate(), failed: newFailed() });

/**
 * All clock detectors over one attempt: what has *not* happened. Call it with each tick of a clock, and once more when the attempt has ended.
 *
 * @param stored what an earlier watch's `state()` gave; going on from it equals never having stopped.
 */
export function createClockWatch(context: MonitorContext, stored?: unknown): ClockWatch {
  const state = restoreState(stored, VERSION, fresh);
  return {
    observe: (facts, rankSteps) => [
      ...observeHang(context, state.hang, facts, rankSteps),
      ...observeLate(context, state.late, facts),
      ...observeFailed(context, state.failed, facts),
    ],
    state: () => storeState(VERSION, state),
  };
}

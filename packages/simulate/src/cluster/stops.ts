import type { ActiveFault, StepMoment } from "./fault-clock.ts";
import type { PlacedFault } from "./placed-fault.ts";
import { numberOf } from "./placed-fault.ts";

/** How a fault ends an attempt. */
export interface Stop {
  readonly placed: PlacedFault;
  /** From the start of the step that is never done until the job is gone, s. */
  readonly killedAfterS: number;
  readonly downtimeS: number;
  /** Null: the newest checkpoint. */
  readonly resumeFrom: number | null;
  readonly reason: string;
  /** The struck ranks never end the step, and all others wait for them in its collective. */
  readonly leavesPeersWaiting: boolean;
}

/** Seconds from the first XID of an ECC chain until the GPU is lost, and from a lost GPU until all processes are gone. */
export const CHAIN_S = 25;
const TEARDOWN_S = 30;

/** The fault that ends the attempt at this step, if any does. */
export function stopOf(moment: StepMoment, active: readonly ActiveFault[], onsetMs: (placed: PlacedFault) => number): Stop | null {
  for (const { placed } of active) {
    const stop = stopBy(placed, (moment.startMs - onsetMs(placed)) / 1000);
    if (stop !== null) return stop;
  }
  return null;
}

function stopBy(placed: PlacedFault, ageS: number): Stop | null {
  const plain = { placed, killedAfterS: 1, resumeFrom: null, leavesPeersWaiting: false };
  switch (placed.kind) {
    case "hang":
      return {
        ...plain,
        killedAfterS: numberOf(placed, "hang", "killedAfterS"),
        downtimeS: numberOf(placed, "hang", "downtimeS"),
        reason: "restarted after a hang",
        leavesPeersWaiting: true,
      };
    case "lost-node":
      return {
        ...plain,
        killedAfterS: numberOf(placed, "lost-node", "killedAfterS"),
        downtimeS: numberOf(placed, "lost-node", "downtimeS"),
        reason: "restarted after a node was lost",
        leavesPeersWaiting: true,
      };
    case "ecc-chain":
      if (ageS < CHAIN_S) return null;
      return {
        ...plain,
        killedAfterS: TEARDOWN_S,
        downtimeS: numberOf(placed, "ecc-chain", "downtimeS"),
        reason: "restarted after a GPU was lost",
      };
    case "xid":
      if (numberOf(placed, "xid", "code") !== 79) return null;
      return {
        ...plain,
        killedAfterS: TEARDOWN_S,
        downtimeS: numberOf(placed, "xid", "downtimeS"),
        reason: "restarted after a GPU was lost",
      };
    case "restart": {
      const from = numberOf(placed, "restart", "resumeFrom");
      return { ...plain, downtimeS: numberOf(placed, "restart", "downtimeS"), resumeFrom: from < 0 ? null : from, reason: "restarted" };
    }
    case "resume-learning-rate":
    case "resume-data-order":
      return { ...plain, downtimeS: numberOf(placed, placed.kind, "downtimeS"), reason: "restarted" };
    default:
      return null;
  }
}

export function endsAttempt(placed: PlacedFault): boolean {
  return stopBy(placed, Number.POSITIVE_INFINITY) !== null;
}

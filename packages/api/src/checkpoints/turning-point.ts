import { OVER_OPTIMISATION } from "@trainwatch/core";
import type { AttemptReach, CheckpointEvidence, Records } from "@trainwatch/store";

/** What the monitors know of where the held-out score turned on the way of some weights. */
export interface FoundTurn {
  /** Step from which it fell while training went on; null: none was found. */
  readonly step: number | null;
  /** Whether a detector could have seen one: without a held-out evaluation "none found" says nothing. */
  readonly isWatched: boolean;
}

/** @param line the attempts of the way, each as far as it goes: a turn that lies after a checkpoint is told too */
export async function findTurn(
  records: Records,
  line: readonly AttemptReach[],
  coverage: Awaited<ReturnType<CheckpointEvidence["coverage"]>>,
): Promise<FoundTurn> {
  const step = await records.checkpoints.earliestOnset(line, OVER_OPTIMISATION);
  const sees = [...coverage.values()].flat().some(({ detector, sees: isSeen }) => isSeen && detector === OVER_OPTIMISATION);
  return { step, isWatched: sees || step !== null };
}

import type { MoveFeed } from "@trainwatch/api";
import type { Records } from "@trainwatch/store";
import { judgeRunState } from "./run-state.ts";

/** Sets each open run to the state its signs show; a change leaves a note on the run, so that "it was silent from … to …" can be read later. */
export async function updateRunStates(records: Records, moves: MoveFeed, nowMs: number): Promise<void> {
  for (const signs of await records.runs.signs()) {
    const { state, reason } = judgeRunState(signs, nowMs);
    if (state === signs.state) continue;
    const { id, lastStep } = signs;
    const isChanged = await records.transaction(async (tx) => {
      if (!(await tx.runs.setState(id, { from: signs.state, to: state, reason, nowMs }))) return false;
      await tx.runs.addNote(
        id,
        { kind: "state", attempt: signs.attempt ?? "", step: lastStep, timeMs: nowMs, text: `${state}: ${reason}` },
        nowMs,
      );
      return true;
    });
    if (isChanged) moves.announce({ runId: id, lastStep, samples: 0, atMs: nowMs, incidentsChanged: false });
  }
}

import type { Passport } from "@trainwatch/core";
import { formatInteger, formatShare, Notice } from "@trainwatch/ui";
import { stepsText } from "../../checkpoint-parts/estimate-lane.ts";
import { dataOf } from "../../data/loaded.ts";
import { usePostTraining } from "../../data/post-training.ts";

/** Weights that were saved after the held-out score had turned: said before their verdicts. */
export function TurnNotice({ passport: { run, checkpoint } }: { readonly passport: Passport }) {
  const turn = dataOf(usePostTraining({ runId: run.runId }))?.turningPoint ?? null;
  if (turn === null || !turn.turned || checkpoint.step <= turn.peakStep) return null;
  const interval = `${formatShare(turn.confidence, 0).text} %: ${stepsText(turn.lowStep, turn.highStep)}`;
  return (
    <Notice mark="warning" lit>
      {`After the turning point: the held-out score was best about step ${formatInteger(turn.peakStep)} (${interval}).`}
    </Notice>
  );
}

import type { Passport } from "@trainwatch/core";
import { formatInteger, formatShare, Notice } from "@trainwatch/ui";
import { stepsText } from "../../checkpoint-parts/estimate-lane.ts";
import { dataOf } from "../../data/loaded.ts";
import { usePostTraining } from "../../data/post-training.ts";

/**
 * Weights between the peak of the curve as it is fitted today and the step at which the turn was found: the verdict goes by what was
 * found, as gates do, and the chart shows the fit.
 */
export function TurnNotice({ passport: { run, checkpoint, turningPointStep } }: { readonly passport: Passport }) {
  const turn = dataOf(usePostTraining({ runId: run.runId }))?.turningPoint ?? null;
  if (turn === null || !turn.turned || checkpoint.step <= turn.peakStep) return null;
  if (turningPointStep !== null && checkpoint.step > turningPointStep) return null;
  const interval = `${formatShare(turn.confidence, 0).text} %: ${stepsText(turn.lowStep, turn.highStep)}`;
  const found = turningPointStep === null ? "" : `; the turn was found at step ${formatInteger(turningPointStep)}`;
  return (
    <Notice mark="warning" lit>
      {`Perhaps after the turning point: the curve as fitted now is highest at step ${formatInteger(turn.peakStep)} (${interval})${found}.`}
    </Notice>
  );
}

import { gpuOfFinding, nodeOfFinding, type Incident, type Replay } from "@trainwatch/core";

/** Trainers count a step before or after its update: a replay named by the other count is still of the same batch. */
const STEP_SLACK = 1;

/**
 * Whether a replay of an attempt bears on one of its incidents: the step lies in what the incident spans, or the device is one that it suspects. A replay that names neither is
 * about all of them. Whoever records, weighs, shows or exports replays asks this: what was recorded for an incident is weighed for it.
 */
export function concerns({ attempt, findings }: Pick<Incident, "attempt" | "findings">, replay: Replay): boolean {
  if (attempt !== replay.attempt) return false;
  const { step, gpuId, nodeId } = replay;
  if (step === null && gpuId === null && nodeId === null) return true;
  return findings.some((finding) => {
    if (step !== null && spans(finding, step)) return true;
    return (gpuId !== null && gpuOfFinding(finding) === gpuId) || (nodeId !== null && nodeOfFinding(finding) === nodeId);
  });
}

function spans({ onsetStep, onsetLowerStep, endStep }: Incident["findings"][number], step: number): boolean {
  const first = onsetLowerStep ?? onsetStep;
  return first !== null && step >= first - STEP_SLACK && (endStep === null || step <= endStep + STEP_SLACK);
}

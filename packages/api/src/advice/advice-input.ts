import { checkpointsOnPath, describeIncident, type Incident } from "@trainwatch/core";
import { adviceSeed, type AdviceInput } from "@trainwatch/decide";
import type { Records, RunFacts } from "@trainwatch/store";
import { MARKS_LIMIT } from "../marks-limit.ts";

/** Earlier alarms that a proposal goes by: those nearest to the onset. A few tell whether the fault has come again, and thousands how often such ones recover. */
export const EARLIER_LIMIT = 2_000;

export interface AdviceQuestion {
  readonly incidentId: number;
  readonly incident: Incident;
  readonly run: RunFacts | null;
}

/** What a proposal is made of, as far as it is stored: of a run of years no more than it can use. */
export async function adviceInput(
  records: Records,
  { incidentId, incident, run }: AdviceQuestion,
  earlierLimit: number = EARLIER_LIMIT,
): Promise<AdviceInput> {
  if (run === null) return withoutRun(incident);
  const attempts = await records.runs.attempts(run.id);
  const { onsetStep } = describeIncident(incident);
  // What lies so far from the onset that it is not among them was never the best to go back to.
  const { items: checkpoints } = await records.runs.checkpoints(run.id, { nearStep: onsetStep, limit: MARKS_LIMIT });
  const earlier = await records.findings.earlier({ runId: run.id, incidentId, nearStep: onsetStep, limit: earlierLimit });
  const attempt = attempts.find(({ name }) => name === incident.attempt);
  return {
    findings: incident.findings,
    attempt: incident.attempt,
    checkpoints: checkpointsOnPath(attempts, checkpoints, incident.attempt),
    checkpointEvery: run.metadata.checkpointEvery,
    firstStep: attempt?.firstStep ?? null,
    lastStep: attempt?.lastStep ?? null,
    stepTimeS: run.stepTimeS,
    gpus: run.metadata.gpus,
    logEvery: run.logEvery ?? 1,
    earlier,
    seed: adviceSeed(incident.findings),
  };
}

/** A fault on hardware that works for no run: there is nothing to roll back, and nothing is lost but the hardware's time. */
function withoutRun({ findings, attempt }: Incident): AdviceInput {
  return {
    findings,
    attempt,
    checkpoints: [],
    checkpointEvery: null,
    firstStep: null,
    lastStep: null,
    stepTimeS: null,
    gpus: null,
    logEvery: 1,
    earlier: [],
    seed: adviceSeed(findings),
  };
}

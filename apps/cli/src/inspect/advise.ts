import type { Advice, Incident } from "@trainwatch/core";
import { checkpointsOnPath } from "@trainwatch/core";
import { adviceSeed, proposeAdvice, rankCauses } from "@trainwatch/decide";
import type { RunRecorder } from "./run-recorder.ts";

export interface AdviseOptions {
  readonly gpus: number | null;
  readonly checkpointEvery: number | null;
}

export interface AdvisedIncident {
  readonly incident: Incident;
  readonly advice: Advice;
}

/** What to do about each incident of a run, in the order of the incidents. What the log says of GPUs and checkpoints yields to what the user says. */
export function adviseRun(recorder: RunRecorder, options: AdviseOptions): readonly AdvisedIncident[] {
  const attempts = recorder.attempts();
  const incidents = recorder.ledger.incidents();
  return incidents.map((incident, index) => {
    const attempt = attempts.find(({ name }) => name === incident.attempt);
    const facts = recorder.shelf.facts(incident.attempt);
    const advice = proposeAdvice({
      findings: incident.findings,
      attempt: incident.attempt,
      checkpoints: checkpointsOnPath(attempts, recorder.checkpoints, incident.attempt),
      checkpointEvery: options.checkpointEvery ?? recorder.fact("checkpointEvery"),
      firstStep: attempt?.firstStep ?? null,
      lastStep: attempt?.lastStep ?? null,
      stepTimeS: facts?.stepTimeS ?? null,
      gpus: options.gpus ?? recorder.fact("gpus"),
      logEvery: facts?.logEvery ?? 1,
      earlier: incidents.slice(0, index).flatMap((earlier) => earlier.findings),
      // A log knows no other runs, no fleet and no replays: what its own findings say of the cause.
      assessment: rankCauses({ findings: incident.findings, facts: [], replays: [] }),
      seed: adviceSeed(incident.findings),
    });
    return { incident, advice };
  });
}

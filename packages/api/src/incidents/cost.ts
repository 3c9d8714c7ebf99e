import type { StoredIncident } from "@trainwatch/store";

export interface IncidentCost {
  /** GPU-hours that its run burns in each hour while it suffers from it; 0 once it is over, or the run has gone on without it. */
  readonly gpuHoursPerHour: number | null;
  /** From the onset to the newest step, or to where the fault ended. */
  readonly gpuHoursSoFar: number | null;
  /** Why a number is null, and how to give what it lacks. */
  readonly costUnknown: string | null;
}

type Costed = Pick<StoredIncident, "burning" | "onsetStep" | "endStep" | "attemptLastStep" | "run">;

const HOUR_S = 3_600;

/** Steps from onset to where the fault or its attempt ended, at the run's median pace, on all its GPUs: by steps, so that the clock of an old log does not matter. */
export function incidentCost({ burning, onsetStep, endStep, attemptLastStep, run }: Costed): IncidentCost {
  if (run === null) return unknown(0, "no run that we watch works on it");
  const { metadata, stepTimeS } = run;
  const { gpus } = metadata;
  if (gpus === null)
    return unknown(burning ? null : 0, `how many GPUs ${run.fullName} uses is not known; set it on the run (gpus), or import with --gpus`);
  // a finished log that was imported, or a run whose trainer is gone: nobody knows whether its GPUs still work
  if (burning && run.state === "silent")
    return unknown(
      null,
      `${run.fullName} is silent: whether it still uses its GPUs is not known; a finished log is imported with --ended finished`,
    );
  const gpuHoursPerHour = burning ? gpus : 0;
  if (stepTimeS === null)
    return unknown(gpuHoursPerHour, `how long a step takes is not known: ${run.fullName} has logged neither times nor step times`);
  const end = endStep ?? attemptLastStep;
  if (onsetStep === null || end === null) return unknown(gpuHoursPerHour, "the step at which it began is not known");
  return { gpuHoursPerHour, gpuHoursSoFar: (Math.max(0, end - onsetStep) * stepTimeS * gpus) / HOUR_S, costUnknown: null };
}

function unknown(gpuHoursPerHour: number | null, costUnknown: string): IncidentCost {
  return { gpuHoursPerHour, gpuHoursSoFar: null, costUnknown };
}

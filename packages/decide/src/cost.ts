import { sayInteger, sayValue } from "@trainwatch/core";
import type { AdviceInput } from "./contract.ts";
import { RESTART_S, RESTART_STEPS_UNKNOWN } from "./priors.ts";

/** Turns steps into GPU-hours where that can be done. */
export interface Price {
  gpuHours(steps: number): number | null;
  /** What is missing and how to give it; null where nothing is. */
  readonly unknown: string | null;
  /** `240 steps (1,234 GPU-hours)`. */
  say(steps: number): string;
}

export function priceOf({ gpus, stepTimeS }: Pick<AdviceInput, "gpus" | "stepTimeS">): Price {
  const gpuHours = (steps: number): number | null => (gpus === null || stepTimeS === null ? null : (steps * stepTimeS * gpus) / 3600);
  return {
    gpuHours,
    unknown: missing(gpus, stepTimeS),
    say(steps) {
      const hours = gpuHours(steps);
      const text = Math.round(steps) === 1 ? "1 step" : `${sayInteger(steps)} steps`;
      return hours === null ? text : `${text} (${sayValue(hours)} GPU-hours)`;
    },
  };
}

function missing(gpus: number | null, stepTimeS: number | null): string | null {
  const parts = [
    ...(gpus === null ? ["the number of GPUs (--gpus N, or `gpus` in the run's metadata)"] : []),
    ...(stepTimeS === null ? ["the time a step takes (times or step times in the log)"] : []),
  ];
  return parts.length === 0 ? null : `GPU-hours are not known without ${parts.join(" and ")}; costs are in steps.`;
}

/** What a restart costs, in steps. */
export function restartSteps(stepTimeS: number | null): number {
  return stepTimeS === null || stepTimeS <= 0 ? RESTART_STEPS_UNKNOWN : RESTART_S / stepTimeS;
}

import type { PushInput, Sample } from "@trainwatch/core";
import { rlPlan, rlPushes, type RlPlan } from "@trainwatch/simulate";

const START_MS = Date.UTC(2026, 2, 2);

/** The simulator's run as it is if nothing else is asked for. */
export const SIMULATED = rlPlan({ seed: 0, startTimeMs: START_MS });

/** What the simulator's run sends, as samples by step; held-out prompts are answered one by one there, the same at each evaluation. */
export function simulatedRun(over: Partial<RlPlan> & Pick<RlPlan, "seed">): readonly Sample[] {
  const plan = rlPlan({ startTimeMs: START_MS, ...over });
  return [...rlPushes(plan)].flatMap(samplesOf).toSorted((a, b) => a.step - b.step);
}

function samplesOf({ series, columns }: PushInput): readonly Sample[] {
  return (columns ?? []).flatMap(({ series: place, step = [], time = [], value }) => {
    const metric = series?.[place]?.metric;
    if (metric === undefined) return [];
    return step.map((at, index) => ({ metric, step: at, timeMs: time[index] ?? null, value: value[index] ?? Number.NaN }));
  });
}

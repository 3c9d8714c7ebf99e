import { formatInteger } from "@trainwatch/ui";
import { linearTickValues } from "@trainwatch/ui/charts/prepare";
import type { RunTimes } from "./run-times.ts";

export interface StepTick {
  readonly atMs: number;
  readonly text: string;
}

/** Round steps of a run that ended within a stretch of time, at most `count` + 1 of them. */
export function stepTicks(
  { map, first, last }: RunTimes,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  count: number,
): readonly StepTick[] {
  const low = map.toStep(fromMs) ?? first.step;
  const high = map.toStep(toMs) ?? last.step;
  return linearTickValues(low, high, count).flatMap((step) => {
    const atMs = Number.isInteger(step) ? map.toTime(step) : null;
    return atMs === null || atMs < fromMs || atMs > toMs ? [] : [{ atMs, text: formatInteger(step) }];
  });
}

import { stepTimeMap, type SeriesWindow, type StepTime, type StepTimeMap } from "@trainwatch/core";

/**
 * Steps and their times out of a window of a run on the time axis: of each bucket its lowest and highest point, which bear both exactly.
 * Steps that were rolled back are left out: at their times the run that counts was elsewhere.
 */
export function stepTimes(window: SeriesWindow): readonly StepTime[] {
  if (window.axis !== "time") return [];
  return window.lines.flatMap((line) =>
    line.superseded
      ? []
      : line.x.flatMap((_, bucket): readonly StepTime[] => [
          ...pair(line.minStep[bucket], line.minX[bucket]),
          ...pair(line.maxStep[bucket], line.maxX[bucket]),
        ]),
  );
}

function pair(step: number | null | undefined, timeMs: number | null | undefined): readonly StepTime[] {
  return typeof step === "number" && typeof timeMs === "number" ? [{ step, timeMs }] : [];
}

export interface RunTimes {
  readonly map: StepTimeMap;
  /** Of the known pairs, by step. */
  readonly first: StepTime;
  readonly last: StepTime;
}

/** The map of a window; null where it holds no point with a time. */
export function runTimes(window: SeriesWindow): RunTimes | null {
  const known = [...stepTimes(window)].sort((a, b) => a.step - b.step);
  const [first, last] = [known[0], known.at(-1)];
  return first === undefined || last === undefined ? null : { map: stepTimeMap(known), first, last };
}

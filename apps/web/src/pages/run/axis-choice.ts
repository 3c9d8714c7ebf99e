import type { Axis, RunDetail } from "@trainwatch/core";
import { AXES } from "./search.ts";

export interface AxisOption {
  readonly axis: Axis;
  /** Why it is not offered, naming the run that lacks it; null where it is. */
  readonly unavailable: string | null;
}

type AxisFacts = Pick<RunDetail, "name" | "axes">;

/** Axes that all the runs on the chart have; for the others who lacks what. */
export function axisOptions(runs: readonly AxisFacts[]): readonly AxisOption[] {
  return AXES.map((axis) => {
    const lacking = runs.flatMap((run) => {
      const own = run.axes.find((candidate) => candidate.axis === axis);
      return own === undefined || !own.available ? [`${run.name}: ${own?.why ?? "not known"}`] : [];
    });
    return { axis, unavailable: lacking.length === 0 ? null : lacking.join("; ") };
  });
}

/** What the link asks for if the run has it; time for a run whose step never moves (A12); else the step. */
export function shownAxis(asked: Axis | undefined, run: Pick<RunDetail, "axes" | "stepIsConstant">): Axis {
  const has = (axis: Axis): boolean => run.axes.some((candidate) => candidate.axis === axis && candidate.available);
  if (asked !== undefined && has(asked)) return asked;
  return run.stepIsConstant && has("time") ? "time" : "step";
}

/** The next axis that is offered, round and round. */
export function nextAxis(current: Axis, options: readonly AxisOption[]): Axis {
  const start = options.findIndex((option) => option.axis === current);
  for (let ahead = 1; ahead < options.length; ahead++) {
    const option = options[(start + ahead) % options.length];
    if (option !== undefined && option.unavailable === null) return option.axis;
  }
  return current;
}

import type { RunDetail } from "@trainwatch/core";
import type { AxisOffer, RunFacts } from "@trainwatch/store";

/** Which axes a chart of the run can have, and for each it lacks why, and how to give it. */
export function runAxes(run: Pick<RunFacts, "stepIsConstant">, { time, tokens }: AxisOffer): RunDetail["axes"] {
  return [
    { axis: "step", available: true, why: run.stepIsConstant ? "the step never moves: time is the better axis" : null },
    { axis: "tokens", available: tokens !== null, why: tokens !== null ? null : "the run logs no tokens_consumed, and how many tokens a step takes is not set (tokensPerStep)" },
    { axis: "time", available: time, why: time ? null : "no point of the run has a time" },
  ];
}

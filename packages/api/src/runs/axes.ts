import type { RunDetail } from "@trainwatch/core";
import type { KnownAxes, RunFacts } from "@trainwatch/store";

/** Which axes a chart of the run can have, and for each it lacks why, and how to give it. */
export function runAxes(run: Pick<RunFacts, "metadata" | "stepIsConstant">, { hasTimes, hasTokens }: KnownAxes): RunDetail["axes"] {
  const offersTokens = hasTokens || run.metadata.tokensPerStep !== null;
  return [
    { axis: "step", available: true, why: run.stepIsConstant ? "the step never moves: time is the better axis" : null },
    {
      axis: "tokens",
      available: offersTokens,
      why: offersTokens ? null : "the run logs no tokens_consumed, and how many tokens a step takes is not set (tokensPerStep)",
    },
    { axis: "time", available: hasTimes, why: hasTimes ? null : "no point of the run has a time" },
  ];
}

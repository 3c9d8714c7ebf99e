import { goal } from "./part.ts";
import type { BenchOptions, Part } from "./part.ts";
import { chainRates, rankChain } from "./rank-chain.ts";
import { RANK_COST_GOALS, rankCost, rankCostMet } from "./rank-cost.ts";
import { injectRankFaults, rankGoalsMet, RANK_GOALS } from "./rank-injection.ts";
import { rankNull, rankNullHolds, RANK_NULL_GOAL } from "./rank-nulls.ts";
import { injectStragglers, STRAGGLER_GOALS, stragglerGoalsMet, varyingLengths } from "./straggler-injection.ts";

/** Detectors of ranks, each on noise of known size. */
export async function rankPart({ full }: BenchOptions): Promise<Part> {
  const faults = injectRankFaults(full ? 200 : 40);
  const slow = injectStragglers(full ? 100 : 20);
  const quiet = varyingLengths(full ? 10_000 : 2_000);
  const cost = rankCost();
  // The long form is three days of 16,384 ranks; the short one as many rank-days as fit into a minute.
  const nulls = [
    await rankNull({ days: full ? 3 : 0.04, ranks: 16_384, through: "rows" }),
    await rankNull({ days: full ? 3 : 0.5, ranks: 128, through: "samples" }),
  ];
  const chain = rankChain();
  const rates = chainRates(chain);
  return {
    sections: [
      {
        title: "Detectors of ranks on the t4 null",
        text: "All of them together, with standing offsets and common mode, end to end: complete rows to the detectors, and every sample through a whole watch.",
        rows: nulls,
      },
      {
        title: "The same by the exact Markov chain",
        text: "Sums of rank-deviation on 16,384 ranks × 6 metrics × both signs, steps of 10 s, t4 noise (Brook and Evans): with the offset of each rank known, and averaged over how far a learned one is off, which is what counts.",
        rows: chain,
      },
      {
        title: "Corruption of one rank",
        text: "128 ranks in cohorts of 32: standing offsets, common mode, t4 noise; one rank's gradient norm is off by so many robust σ.",
        rows: faults,
      },
      { title: "Slow ranks, stages, links and data", text: "256 ranks in cohorts of 16, one kind of slowness at a time.", rows: slow },
      { title: "Sequence lengths that vary", text: "Healthy runs of 256 ranks.", rows: quiet },
      { title: "Cost of the detectors of ranks", text: "CPU time of all of them on one thread.", rows: cost },
    ],
    goals: [
      goal(
        full
          ? `rank detectors ≤ ${RANK_NULL_GOAL.alarmsADay} false alarms a day at 16,384 ranks × 6 metrics, three days end to end`
          : "rank detectors: no false alarm end to end, in as much as the short form simulates (three days: --full; the rate is the chain's)",
        nulls
          .map(
            (line) =>
              `${line.tickets + line.pages} in ${line.days} days of ${line.ranks} ranks (at most ${line["at most a day (95 %)"]} a day)`,
          )
          .join("; "),
        nulls.every(rankNullHolds),
      ),
      goal(
        "the same by the Markov chain ≤ 0.1 a day, silent-error pages ≤ 0.02 a day",
        `${rates.alarms.toPrecision(2)} and ${rates.pages.toPrecision(2)} a day`,
        rates.alarms <= 0.1 && rates.pages <= 0.02,
      ),
      goal(
        `one rank off by 5 σ within ${RANK_GOALS.constant} steps, on 30 % of steps within ${RANK_GOALS.intermittent}, right device ≥ ${RANK_GOALS.deviceRight * 100} %, rare faults found`,
        faults.map((line) => `${line.fault}: ${line["median delay"]}`).join("; "),
        rankGoalsMet(faults),
      ),
      goal(
        `fail-slow ≥ ${STRAGGLER_GOALS.found * 100} % within ${STRAGGLER_GOALS.within} steps, cause right ≥ ${STRAGGLER_GOALS.causeRight * 100} %`,
        slow.map((line) => `${line.cause} ${line.factor}: ${line["found within 10"]}, ${line["cause right"]}`).join("; "),
        stragglerGoalsMet(slow),
      ),
      goal(
        "no false alarm where sequence lengths vary",
        quiet.map(({ alarms, steps }) => `${alarms} in ${steps}`).join("; "),
        quiet.every(({ alarms }) => alarms === 0),
      ),
      goal(
        [...RANK_COST_GOALS].map(([ranks, ms]) => `${ranks.toLocaleString("en-US")} ranks × 6 metrics < ${ms} ms a step`).join("; "),
        cost.map((line) => `${line["ms a step"]} ms`).join("; "),
        rankCostMet(cost),
      ),
    ],
  };
}

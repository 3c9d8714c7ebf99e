import { goal, type BenchOptions, type Part, type Section } from "../part.ts";
import { delayOf, foundOf, injectionLines, INJECTION_SEED, rlInjections, type RlInjection } from "./rl-injection.ts";
import { falseAlarmsOf, NULL_SEED, nullLines, RL_ENTRIES, rlNulls, type RlNull } from "./rl-nulls.ts";

/** Of the runs without a fault (detection.md F.2 and L.14). */
const MOST_FALSE_ALARMS = 0.02;

/** Detectors of post-training, all of them together on each run. */
export function postTrainingPart({ full }: BenchOptions): Part {
  const nulls = rlNulls(full ? 400 : 100);
  const injections = rlInjections(full ? 200 : 40);
  const detectors = detectorLines(nulls, injections);
  return {
    sections: [
      {
        title: "Detectors of post-training",
        text: "Each detector over all that follows: runs without a fault in which it raised an alarm (a warning or worse), with Wilson's upper bound, and the faults that it is there for. Delays in steps; never is 9999.",
        rows: detectors,
      },
      {
        title: "Runs of reinforcement learning without a fault",
        text: `Runs in which each detector raised an alarm. Levels, noise, lengths and pace are drawn from run to run: KL, entropy, lengths and rewards scatter as in the logs of PPO and GRPO runs that we have, shares are drawn answer by answer, evaluations ask the same prompts. Seeds ${NULL_SEED} and up, 1,000 a kind.`,
        rows: nullLines(nulls),
      },
      {
        title: "Injected into runs of reinforcement learning",
        text: `Runs of 600 steps, each logged, with an evaluation of 1,000 prompts every 10, if not told otherwise; the fault begins between 30 and 55 % of the run (the one of lengths between 5 and 15 %). Seeds ${INJECTION_SEED} and up, 1,000 a kind.`,
        rows: injectionLines(injections),
      },
    ],
    goals: [
      goal(
        `each detector of post-training: false alarms in at most ${MOST_FALSE_ALARMS * 100} % of the runs`,
        worstOf(nulls),
        RL_ENTRIES.every(({ id }) => shareOf(nulls, id) <= MOST_FALSE_ALARMS),
      ),
    ],
  };
}

function shareOf(nulls: readonly RlNull[], id: string): number {
  const { alarms, runs } = falseAlarmsOf(nulls, id);
  return alarms / Math.max(1, runs);
}

function worstOf(nulls: readonly RlNull[]): string {
  const [worst] = RL_ENTRIES.map(({ id }) => ({ id, ...falseAlarmsOf(nulls, id) })).toSorted((a, b) => b.alarms - a.alarms);
  if (worst === undefined) return "none";
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;
  return `${worst.alarms} of ${worst.runs} at worst (${worst.id}): ${percent(worst.alarms / worst.runs)}, at most ${percent(worst.high95)}`;
}

function detectorLines(nulls: readonly RlNull[], injections: readonly RlInjection[]): Section["rows"] {
  return RL_ENTRIES.map(({ id, version }) => {
    const quiet = falseAlarmsOf(nulls, id);
    const outcomes = injections.filter(({ detector }) => detector === id).flatMap((injection) => injection.outcomes);
    const { found, low95 } = foundOf(outcomes);
    return {
      detector: id,
      version,
      "fault-free runs": quiet.runs,
      "false alarms": quiet.alarms,
      "of them pages": quiet.pages,
      "at most, % of runs (95 %)": Number((100 * quiet.high95).toFixed(2)),
      injected: outcomes.length,
      found,
      "found, 95 % from": low95,
      "median delay, steps": delayOf(outcomes, 0.5),
      "p90, steps": delayOf(outcomes, 0.9),
    };
  });
}

import { POST_TRAINING_DETECTORS } from "@trainwatch/core";
import { CLOCK_DETECTORS, DETECTORS, FLEET_DETECTORS, RANK_DETECTORS } from "@trainwatch/detect";
import { clusterNulls, NULL_SEED, simulatedFleetNulls } from "./cluster-nulls.ts";
import { causeConfusion, deviceConfusion, FIRST_SEED, injections, ofAll, summariseScenarios } from "./end-to-end.ts";
import type { Outcome } from "./end-to-end.ts";
import { goal } from "./part.ts";
import type { BenchOptions, Goal, Part, Section } from "./part.ts";
import { nodeVerdicts } from "./node-verdicts.ts";

/** End to end on the cluster simulator, which shares no code with the detectors: all four families, incidents folded and causes ranked as the server does it. */
export function clusterPart({ full }: BenchOptions): Part {
  const nulls = clusterNulls();
  const fleets = simulatedFleetNulls(full ? 12 : 1);
  const outcomes = [...injections(undefined, full ? 2 : 0.4)];
  const nodes = nodeVerdicts(outcomes);
  const seeds = `Seeds ${FIRST_SEED} and up, 1,000 a kind`;
  return {
    sections: [
      {
        title: "Fault-free clusters",
        text: `128 ranks, all detectors of the run, its ranks and the clock. Seeds ${NULL_SEED} to ${NULL_SEED + nulls.length - 1}.`,
        rows: nulls,
      },
      {
        title: "Fault-free fleets",
        text: `Exporters and kernel logs at a tick of 10 s. Seeds ${NULL_SEED + 100} and ${NULL_SEED + 101}.`,
        rows: fleets,
      },
      {
        title: "Injected faults, end to end",
        text: `${seeds}; places, sizes, layouts (cohorts of 8 to 32) and noise differ from run to run. Delay from the onset to the first alarm; never is 9999. A device is right where the first accusation names the struck GPU (or its link or port), or the node where a node was struck; a cause where it is ranked first.`,
        rows: summariseScenarios(outcomes),
      },
      { title: "Causes", text: "True causes down, the first of the ranked ones across.", rows: causeConfusion(outcomes) },
      { title: "Devices", text: "What was struck down, what was accused first across.", rows: deviceConfusion(outcomes) },
      {
        title: "Faulty nodes",
        text: "Nodes of the runs above whose exporters were read: a node is accused where an alarm names it or something in it, from the onset on.",
        rows: [nodes.line],
      },
      {
        title: "Detectors",
        text: "Injected runs in which each spoke after the onset, its median delay there, and its alarms before any fault was there. Those of post-training have a part of their own: they find nothing to read in these runs.",
        rows: detectorLines(outcomes),
      },
    ],
    goals: [...nullGoals(nulls), ...clusterGoals(outcomes), ...nodes.goals],
  };
}

function nullGoals(nulls: ReturnType<typeof clusterNulls>): readonly Goal[] {
  const varying = nulls[0];
  const alarms = nulls.reduce((sum, line) => sum + line.alarms, 0);
  const steps = nulls.reduce((sum, line) => sum + line.steps, 0);
  return [
    goal(
      "no false alarm in 10,000 steps of varying sequence length",
      `${varying?.alarms ?? "none"} in ${varying?.steps ?? 0}`,
      varying?.alarms === 0 && varying.steps >= 10_000,
    ),
    goal(
      "no false alarm on fault-free clusters of every kind",
      `${alarms} in ${steps.toLocaleString("en-US")} steps of 128 ranks`,
      alarms === 0,
    ),
  ];
}

function clusterGoals(outcomes: readonly Outcome[]): readonly Goal[] {
  const named = (...names: readonly string[]): readonly Outcome[] => outcomes.filter(({ scenario }) => names.includes(scenario.name));
  const group = (name: string): readonly Outcome[] => outcomes.filter(({ scenario }) => scenario.group === name);
  const constant = named("silent error 5 σ", "silent error 8 σ");
  const some = named("silent error 5 σ on 30 % of steps", "silent error 8 σ on 30 % of steps");
  const corrupt = [...constant, ...some];
  const rare = named("rare error 40 σ on 1 % of steps");
  const slow = group("fail-slow");
  const hang = group("stall");
  const lost = named("lost node");
  const steps = (of: readonly Outcome[]): number =>
    ofAll(
      of.map(({ delaySteps }) => delaySteps),
      0.5,
    );
  const seconds = (of: readonly Outcome[]): number =>
    ofAll(
      of.map(({ delayS }) => delayS),
      1,
    );
  const within10 = slow.filter(({ delaySteps }) => (delaySteps ?? Number.POSITIVE_INFINITY) <= 10).length;
  const device = rightOf(corrupt.map(({ isRightDevice }) => isRightDevice ?? false));
  const cause = rightOf(slow.map(({ isRightCause }) => isRightCause ?? false));
  const early = outcomes.reduce((sum, { falseAlarms }) => sum + falseAlarms.length, 0);
  return [
    goal("corruption ≥ 5 σ on all steps within 8 steps (median)", `${steps(constant)} steps, ${countOf(constant)}`, steps(constant) <= 8),
    goal("on 30 % of the steps within 60 (median)", `${steps(some)} steps, ${countOf(some)}`, steps(some) <= 60),
    goal("right device ≥ 99 %", say(device), device.share >= 0.99),
    goal(
      "rare faults found by the counter",
      countOf(rare),
      rare.every(({ found }) => found !== null),
    ),
    goal("fail-slow ≥ 99 % within 10 steps", `${within10} of ${slow.length}`, within10 >= 0.99 * slow.length),
    goal("cause of a slow run right ≥ 90 %", say(cause), cause.share >= 0.9),
    goal("hang within 60 s", `${seconds(hang)} s at most, ${countOf(hang)}`, seconds(hang) <= 60),
    goal(
      "lost node within 30 s at a 10 s scrape (median: the third missed scrape is due 20 to 30 s after the loss)",
      `${ofAll(
        lost.map(({ delayS }) => delayS),
        0.5,
      )} s, ${seconds(lost)} s at most, ${countOf(lost)}`,
      ofAll(
        lost.map(({ delayS }) => delayS),
        0.5,
      ) <= 30,
    ),
    goal("no alarm before a fault was there", `${early} in ${outcomes.length} runs`, early === 0),
  ];
}

function countOf(outcomes: readonly Outcome[]): string {
  return `${outcomes.filter(({ found }) => found !== null).length} of ${outcomes.length} found`;
}

function rightOf(rights: readonly boolean[]): { readonly right: number; readonly of: number; readonly share: number } {
  const right = rights.filter(Boolean).length;
  return { right, of: rights.length, share: right / Math.max(1, rights.length) };
}

function say({ right, of, share }: ReturnType<typeof rightOf>): string {
  return `${right} of ${of} (${(100 * share).toFixed(1)} %)`;
}

/** Every detector of the registries that has something to read in these runs, in their order. */
const FAMILIES = [
  { family: "run", entries: DETECTORS.filter(({ id }) => !POST_TRAINING_DETECTORS.has(id)) },
  { family: "ranks", entries: RANK_DETECTORS },
  { family: "fleet", entries: FLEET_DETECTORS },
  { family: "clock", entries: CLOCK_DETECTORS },
] as const;

function detectorLines(outcomes: readonly Outcome[]): Section["rows"] {
  return FAMILIES.flatMap(({ family, entries }) =>
    entries.map(({ id, version }: { readonly id: string; readonly version: number }) => {
      const delays = outcomes.flatMap(({ spoke }) => spoke.find(({ detector }) => detector === id)?.delayS ?? []);
      return {
        detector: id,
        version,
        family,
        "spoke in": delays.length,
        "median delay, s": delays.length === 0 ? null : ofAll(delays, 0.5),
        "false alarms": outcomes.reduce((sum, { falseAlarms }) => sum + falseAlarms.filter((detector) => detector === id).length, 0),
      };
    }),
  );
}

import type { Sample } from "@trainwatch/core";
import { monitorOf } from "@trainwatch/detect";
import { seededRandom, wilsonInterval } from "@trainwatch/stats";
import { RL_FAULTS, type RlFault } from "./rl-faults.ts";
import { gradedRun } from "./graded-groups.ts";
import { NOISE_SEED, RL_ENTRIES, USUAL } from "./rl-nulls.ts";
import { healthyRun } from "./rl-run.ts";
import { rlSamples } from "./rl-samples.ts";
import { simulatedRun } from "./simulated-run.ts";

/** Of the injected faults, 1,000 a kind; thresholds were chosen on others (820,000 and up). */
export const INJECTION_SEED = 940_000;

/** What was never found: sorts last. */
const NEVER = 9_999;
const BETWEEN = [0.3, 0.55] as const;

/** One run with one fault. */
interface Struck {
  readonly samples: readonly Sample[];
  readonly onset: number;
  readonly parameters: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Injected {
  readonly name: string;
  readonly detector: string;
  draw(seed: number): Struck;
}

const INJECTED: readonly Injected[] = [
  {
    name: "the simulator's run, 2,200 steps: the held-out score turns, reward climbs",
    detector: "over-optimisation",
    draw: (seed) => simulated(seed, true),
  },
  {
    name: "the simulator's run, 2,200 steps: the held-out score stands, reward climbs by 0.05 to 0.12",
    detector: "reward-hacking",
    draw: (seed) => simulated(seed, false),
  },
  ...RL_FAULTS.map((fault): Injected => ({ name: fault.name, detector: fault.detector, draw: (seed) => struck(fault, seed) })),
  ...([0.6, 0.9] as const).map((share): Injected => ({
    name: `pass or fail, nearly all right, groups of 8: ${100 * share} % of the groups graded alike`,
    detector: "zero-variance-groups",
    draw: (seed) => gradedAlike(seed, share),
  })),
];

function simulated(seed: number, turns: boolean): Struck {
  const peakStep = 700 + (seed % 10) * 60;
  return { samples: simulatedRun({ seed, turns, peakStep }), onset: peakStep, parameters: {} };
}

function gradedAlike(seed: number, share: number): Struck {
  const onset = onsetOf(seededRandom(seed + 3 * NOISE_SEED), BETWEEN);
  const samples = gradedRun(seed, { layout: USUAL, noiseSeed: NOISE_SEED, alike: { share, fromStep: onset } });
  return { samples, onset, parameters: {} };
}

function onsetOf(random: () => number, [from, to]: readonly [number, number]): number {
  return Math.round(USUAL.steps * (from + (to - from) * random()));
}

function struck({ detector, between = BETWEEN, parameters, strike }: RlFault, seed: number): Struck {
  const random = seededRandom(seed);
  const healthy = healthyRun(random, USUAL);
  const onset = onsetOf(random, between);
  const told = parameters?.(healthy, onset);
  return {
    samples: rlSamples(strike(healthy, onset), seed + NOISE_SEED),
    onset,
    parameters: { sycophancy: { prompts: USUAL.heldOutPrompts }, ...(told === undefined ? {} : { [detector]: told }) },
  };
}

interface Outcome {
  readonly delay: number | null;
  readonly isPaged: boolean;
  /** Detectors that raised an alarm before the onset. */
  readonly early: readonly string[];
  /** Others that raised one after it. */
  readonly beside: readonly string[];
}

export interface RlInjection {
  readonly name: string;
  readonly detector: string;
  readonly outcomes: readonly Outcome[];
}

export function rlInjections(runs: number, seed: number = INJECTION_SEED): readonly RlInjection[] {
  return INJECTED.map(({ name, detector, draw }, kind) => ({
    name,
    detector,
    outcomes: Array.from({ length: runs }, (_, run) => outcomeOf(detector, draw(seed + 1_000 * kind + run))),
  }));
}

function outcomeOf(id: string, { samples, onset, parameters }: Struck): Outcome {
  const monitor = monitorOf(RL_ENTRIES, { run: "bench/fault", attempt: "a1", parameters });
  const alarms = monitor.observe(samples).filter(({ severity }) => severity !== "info");
  const after = alarms.filter(({ detectedStep }) => (detectedStep ?? 0) >= onset);
  const own = after.filter(({ detector }) => detector === id);
  const first = own[0]?.detectedStep ?? null;
  return {
    delay: first === null ? null : first - onset,
    isPaged: own.some(({ severity }) => severity === "critical"),
    early: distinct(alarms.filter(({ detectedStep }) => (detectedStep ?? 0) < onset).map(({ detector }) => detector)),
    beside: distinct(after.map(({ detector }) => detector).filter((each) => each !== id)),
  };
}

const distinct = (names: readonly string[]): readonly string[] => [...new Set(names)];

export function delayOf(outcomes: readonly Outcome[], share: number): number {
  const delays = outcomes.map(({ delay }) => delay ?? NEVER).toSorted((a, b) => a - b);
  // No mean of two ranks: between a delay and never there is nothing.
  return delays[Math.max(0, Math.ceil(share * delays.length) - 1)] ?? NEVER;
}

export function foundOf(outcomes: readonly Outcome[]): { readonly found: number; readonly low95: number } {
  const found = outcomes.filter(({ delay }) => delay !== null).length;
  return { found, low95: Number(wilsonInterval(found, outcomes.length).low.toFixed(3)) };
}

/** Rows of the table: one a fault. */
export function injectionLines(injections: readonly RlInjection[]) {
  return injections.map(({ name, detector, outcomes }) => {
    const { found, low95 } = foundOf(outcomes);
    return {
      injected: name,
      detector,
      runs: outcomes.length,
      found,
      "found, 95 % from": low95,
      paged: outcomes.filter(({ isPaged }) => isPaged).length,
      "median delay, steps": delayOf(outcomes, 0.5),
      "p90, steps": delayOf(outcomes, 0.9),
      "alarms before": outcomes.reduce((sum, { early }) => sum + early.length, 0),
      "others that spoke": besideOf(outcomes),
    };
  });
}

/** Other detectors by the runs in which they spoke, those of a tenth of them and more. */
function besideOf(outcomes: readonly Outcome[]): string {
  const counts = new Map<string, number>();
  for (const { beside } of outcomes) for (const id of beside) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= 0.1 * outcomes.length)
    .toSorted(([, a], [, b]) => b - a)
    .map(([id, count]) => `${id} ${count}`)
    .join(", ");
}

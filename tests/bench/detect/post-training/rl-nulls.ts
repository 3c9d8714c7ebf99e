import { DETECTORS, monitorOf } from "@trainwatch/detect";
import { POST_TRAINING_DETECTORS, type Sample } from "@trainwatch/core";
import { seededRandom, wilsonInterval } from "@trainwatch/stats";
import { gradedRun } from "./graded-groups.ts";
import { healthyRun, type RlLayout } from "./rl-run.ts";
import { rlSamples } from "./rl-samples.ts";
import { SIMULATED, simulatedRun } from "./simulated-run.ts";

/** Of the fault-free runs, 1,000 a kind; thresholds were chosen on others (810,000 and up). */
export const NULL_SEED = 930_000;
/** What the noise of a run is drawn from, beside what its nature is drawn from. */
export const NOISE_SEED = 500_000;

/** In the registry's order. */
export const RL_ENTRIES = DETECTORS.filter(({ id }) => POST_TRAINING_DETECTORS.has(id));

export const USUAL: RlLayout = {
  steps: 600,
  logEvery: 1,
  evalEvery: 10,
  prompts: 128,
  answers: 8,
  heldOutPrompts: 1_000,
  noise: "white",
  longer: null,
  isHeld: true,
};

const LAYOUTS: readonly { readonly name: string; readonly layout: Partial<RlLayout> }[] = [
  { name: "200 steps", layout: { steps: 200, evalEvery: 5 } },
  { name: "600 steps", layout: {} },
  { name: "2,400 steps", layout: { steps: 2_400, evalEvery: 40 } },
  { name: "2,400 steps, an evaluation every 10", layout: { steps: 2_400 } },
  { name: "600 steps, heavy noise that neighbours share", layout: { noise: "shared" } },
  { name: "600 steps, batches of 16 prompts with 4 answers", layout: { prompts: 16, answers: 4 } },
  { name: "600 steps, 250 held-out prompts", layout: { heldOutPrompts: 250 } },
  { name: "600 steps, no penalty on the KL", layout: { isHeld: false } },
  { name: "600 steps, answers three times as long in the end", layout: { longer: 3 } },
  { name: "3,000 steps, logged every 5", layout: { steps: 3_000, logEvery: 5, evalEvery: 50 } },
];

interface Null {
  readonly name: string;
  readonly heldOutPrompts: number;
  samples(seed: number): readonly Sample[];
}

const NULLS: readonly Null[] = [
  ...LAYOUTS.map(({ name, layout }): Null => {
    const whole = { ...USUAL, ...layout };
    return {
      name,
      heldOutPrompts: whole.heldOutPrompts,
      samples: (seed) => rlSamples(healthyRun(seededRandom(seed), whole), seed + NOISE_SEED),
    };
  }),
  {
    name: "the simulator's run, 2,200 steps, its held-out score best at the end",
    heldOutPrompts: SIMULATED.heldOutPrompts,
    samples: (seed) => simulatedRun({ seed, turns: false, peakStep: SIMULATED.steps }),
  },
  {
    name: "600 steps, pass or fail, 88 to 96 % right in the end, groups of 8",
    heldOutPrompts: USUAL.heldOutPrompts,
    samples: (seed) => gradedRun(seed, { layout: USUAL, noiseSeed: NOISE_SEED, alike: null }),
  },
];

export interface RlNull {
  readonly name: string;
  readonly runs: number;
  readonly samples: number;
  /** Runs in which a detector raised an alarm (a warning or worse), and those in which it paged, by detector. */
  readonly alarms: ReadonlyMap<string, number>;
  readonly pages: ReadonlyMap<string, number>;
}

/** Fault-free runs of every kind through every detector of post-training. */
export function rlNulls(runs: number, seed: number = NULL_SEED): readonly RlNull[] {
  return NULLS.map(({ name, heldOutPrompts, samples: draw }, kind) => {
    const alarms = new Map(RL_ENTRIES.map(({ id }) => [id, 0]));
    const pages = new Map(alarms);
    let samples = 0;
    for (let run = 0; run < runs; run++) {
      const drawn = draw(seed + 1_000 * kind + run);
      samples += drawn.length;
      const said = alarmsIn(drawn, heldOutPrompts);
      for (const id of said.alarmed) alarms.set(id, (alarms.get(id) ?? 0) + 1);
      for (const id of said.paged) pages.set(id, (pages.get(id) ?? 0) + 1);
    }
    return { name, runs, samples, alarms, pages };
  });
}

/** The number of paired prompts is told to the detector that asks for it. */
function alarmsIn(samples: readonly Sample[], heldOutPrompts: number): Readonly<Record<"alarmed" | "paged", ReadonlySet<string>>> {
  const monitor = monitorOf(RL_ENTRIES, { run: "bench/null", attempt: "a1", parameters: { sycophancy: { prompts: heldOutPrompts } } });
  const alarms = monitor.observe(samples).filter(({ severity }) => severity !== "info");
  return {
    alarmed: new Set(alarms.map(({ detector }) => detector)),
    paged: new Set(alarms.filter(({ severity }) => severity === "critical").map(({ detector }) => detector)),
  };
}

/** Rows of the table: one a kind of run, detectors across. */
export function nullLines(nulls: readonly RlNull[]): readonly Readonly<Record<string, string | number>>[] {
  return nulls.map(({ name, runs, samples, alarms }) => ({ "fault-free runs": name, runs, samples, ...Object.fromEntries(alarms) }));
}

/** Over all kinds. */
export function falseAlarmsOf(
  nulls: readonly RlNull[],
  id: string,
): { readonly runs: number; readonly alarms: number; readonly pages: number; readonly high95: number } {
  const sumOf = (count: (line: RlNull) => number): number => nulls.reduce((sum, line) => sum + count(line), 0);
  const runs = sumOf((line) => line.runs);
  const alarms = sumOf((line) => line.alarms.get(id) ?? 0);
  return { runs, alarms, pages: sumOf((line) => line.pages.get(id) ?? 0), high95: wilsonInterval(alarms, runs).high };
}

import type { Finding, Sample } from "@trainwatch/core";
import { DETECTORS, type DetectorEntry } from "@trainwatch/detect";
import { normalDraw, seededRandom } from "@trainwatch/stats";
import type { Shape } from "./shapes.ts";

export const EVALUATIONS = 60;
export const STEPS_BETWEEN = 40;
/** Rewards and KL values between two evaluations. */
const LOGGED_BETWEEN = 8;
/** Of the outcomes of two evaluations on one prompt. */
const CORRELATION = 0.6;

export interface Variant {
  readonly prompts: number;
  readonly isToldPrompts: boolean;
  readonly isKlLogged: boolean;
}

/** What the detector has said, and after how many evaluations. */
export interface Told {
  readonly evaluation: number;
  readonly finding: Finding;
}

const ENTRIES: readonly DetectorEntry[] = DETECTORS;

/** Alarms of the registered detector on one seeded run, as they come. The same prompts each time: what they have in common moves all evaluations alike. */
export function* toldOf(shape: Shape, { prompts, isToldPrompts, isKlLogged }: Variant, seed: number): Generator<Told> {
  const entry = ENTRIES.find(({ id }) => id === "over-optimisation");
  if (entry === undefined) throw new Error("there is no detector over-optimisation");
  const detector = entry.create({
    run: "bench/run",
    attempt: "a1",
    ...(isToldPrompts ? { parameters: { [entry.id]: { prompts } } } : {}),
  });
  const random = seededRandom(seed);
  const common = normalDraw(random);
  for (let evaluation = 1; evaluation <= EVALUATIONS; evaluation++) {
    const samples: Sample[] = [];
    for (let logged = 1; logged <= LOGGED_BETWEEN; logged++) {
      const step = Math.round((evaluation - 1 + logged / LOGGED_BETWEEN) * STEPS_BETWEEN);
      const done = step / (EVALUATIONS * STEPS_BETWEEN);
      samples.push({ metric: "reward", step, timeMs: null, value: 0.4 + 0.3 * done + 0.02 * normalDraw(random) });
      if (isKlLogged) samples.push({ metric: "kl", step, timeMs: null, value: 0.2 * done * Math.exp(0.15 * normalDraw(random)) });
    }
    const accuracy = shape.accuracy(evaluation / EVALUATIONS);
    const error = Math.sqrt((accuracy * (1 - accuracy)) / prompts);
    const value = accuracy + error * (Math.sqrt(CORRELATION) * common + Math.sqrt(1 - CORRELATION) * normalDraw(random));
    samples.push({ metric: "eval/held_out/accuracy", step: evaluation * STEPS_BETWEEN, timeMs: null, value });
    for (const sample of samples)
      for (const finding of detector.observe(sample)) if (finding.severity !== "info") yield { evaluation, finding };
  }
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

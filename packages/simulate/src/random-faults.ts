import type { Fault } from "./fault.ts";
import { randomSource } from "./random.ts";
import type { RandomSource } from "./random.ts";

/** What passes and leaves room for the next fault. */
const TRANSIENT = ["spike", "spike-shift", "outlier", "slow", "grad-rise"] as const;
const KINDS = [...TRANSIENT, "divergence", "ramp", "nan"] as const;

/** Seeded faults spread evenly over a run after its first fifth, far enough apart to be told from one another. Kinds that end a run come last. */
export function randomFaults(seed: number, steps: number, count: number): readonly Fault[] {
  const random = randomSource(seed, 4_711);
  const stretch = (0.78 * steps) / Math.max(1, count);
  return Array.from({ length: count }, (_, index): Fault => {
    const step = Math.max(1, Math.round(0.2 * steps + stretch * (index + 0.3 * random.uniform())));
    return faultOf(pick(random, index === count - 1 ? KINDS : TRANSIENT), step, random);
  });
}

function pick<T>(random: RandomSource, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random.uniform() * list.length)] ?? list[0];
}

function faultOf(kind: (typeof KINDS)[number], step: number, random: RandomSource): Fault {
  const between = (low: number, high: number): number => low + (high - low) * random.uniform();
  const whole = (low: number, high: number): number => Math.round(between(low, high));
  switch (kind) {
    case "spike":
      return { kind, step, factor: between(1.3, 3.5), halfLifeSteps: whole(5, 30), gradLeadSteps: whole(0, 5) };
    case "spike-shift":
      return { kind, step, factor: between(1.4, 3), halfLifeSteps: whole(8, 25), shift: between(0.05, 0.3), gradLeadSteps: whole(0, 5) };
    case "divergence":
      return { kind, step, ceiling: between(6, 9), growthSteps: whole(5, 60) };
    case "ramp":
      return { kind, step, perStep: between(0.001, 0.004), steps: whole(100, 400) };
    case "nan":
      return { kind, step, steps: random.uniform() < 0.5 ? null : whole(1, 40) };
    case "outlier":
      return { kind, step, factor: between(1.3, 2.5) };
    case "slow":
      return { kind, step, factor: between(1.2, 2), steps: whole(30, 200) };
    case "grad-rise":
      return { kind, step, factor: between(3, 8), steps: whole(20, 80) };
  }
}

import { describe, expect, it } from "vitest";
import type { DetectorParameter } from "../contract.ts";
import { factsAt, START_MS, watchEach } from "./clock-facts.fixture.ts";
import { CLOCK_DETECTORS } from "./clock-watch.ts";
import type { ClockFacts } from "./contract.ts";

/** Something for each parameter to bear on: a plain hang, one with little traffic and one with much, a phase that does not end, saves that stop or fail. */
const WORLDS: readonly ((second: number) => ClockFacts)[] = [
  (second) => factsAt(second, { stepTimeS: 20 }),
  (second) => factsAt(second, { trafficShare: 0.04 }),
  (second) => factsAt(second, { trafficShare: 0.9 }),
  (second) => factsAt(second, { phase: { kind: "eval", sinceMs: START_MS } }),
  (second) =>
    factsAt(second, {
      lastStep: 1_000 + second,
      stepMovedAtMs: START_MS + second * 1_000,
      checkpoint: { step: 900, savedAtMs: null },
      checkpointEvery: 100,
      incomplete: { step: 950, savedAtMs: null, reason: null },
    }),
];

const said = (detector: string, parameters: Readonly<Record<string, number>>): string =>
  JSON.stringify(WORLDS.map((world) => watchEach(10, 2_000, world, new Map(), { [detector]: parameters })));

describe("parameters of the clock's detectors", () => {
  const cases = CLOCK_DETECTORS.flatMap((entry) =>
    entry.parameters.map((parameter): [string, string, DetectorParameter] => [`${entry.id} ${parameter.name}`, entry.id, parameter]),
  );

  it.each(cases)("%s is honoured: another value says something else, or at another time", (_, detector, { name, value, least, most }) => {
    const usual = said(detector, {});
    const values = [0.5, 2].map((factor) => Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(least ?? 0, value * factor)));
    expect(values.some((other) => said(detector, { [name]: other }) !== usual)).toBe(true);
  });
});

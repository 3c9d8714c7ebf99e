import type { Sample } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NEW_PACE, logEveryOf, observePace, stepTimeOf } from "./pace.ts";

const loss = (step: number, timeMs: number | null): Sample => ({ metric: "loss", step, timeMs, value: 1 });
const paceOf = (samples: readonly Sample[]) => observePace(NEW_PACE, samples);

describe("observePace", () => {
  it("takes the median seconds an optimizer step, and steps between logged points", () => {
    const pace = paceOf([loss(10, 0), loss(20, 20_000), loss(30, 40_000), loss(40, 300_000)]);
    expect([stepTimeOf(pace), logEveryOf(pace)]).toEqual([2, 10]);
  });

  it("says nothing of steps that stand still or fall back, nor of a clock set back", () => {
    const pace = paceOf([loss(10, 100_000), loss(10, 110_000), loss(5, 120_000), loss(6, 60_000)]);
    expect([stepTimeOf(pace), logEveryOf(pace)]).toEqual([null, 1]);
  });

  it("takes step times that a log tells where it has no clock", () => {
    const told = [0.5, 0.7, Number.NaN, 0.6].map((value, index): Sample => ({ metric: "step_time", step: index, timeMs: null, value }));
    expect(stepTimeOf(paceOf(told))).toBe(0.6);
  });

  it("counts points of the loss as soon as there is one: other metrics may be logged at another pace", () => {
    const rate = (step: number): Sample => ({ metric: "learning_rate", step, timeMs: null, value: 1 });
    expect(logEveryOf(paceOf([rate(1), rate(2), rate(3), loss(10, null), loss(20, null)]))).toBe(10);
  });

  it("comes to the same whatever the batches", () => {
    const samples = fc.array(
      fc.record({
        metric: fc.constantFrom("loss", "grad_norm", "step_time"),
        step: fc.nat(500),
        timeMs: fc.option(fc.nat(1e6)),
        value: fc.double({ noNaN: true }),
      }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(samples, fc.nat(400), (all, at) => {
        expect(observePace(observePace(NEW_PACE, all.slice(0, at)), all.slice(at))).toEqual(paceOf(all));
      }),
    );
  });

  it("survives JSON", () => {
    const pace = paceOf([loss(10, 0), loss(20, 20_000)]);
    expect(JSON.parse(JSON.stringify(pace))).toEqual(pace);
  });
});

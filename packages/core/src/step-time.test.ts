import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stepTimeMap, tokenAxis } from "./step-time.ts";

describe("stepTimeMap", () => {
  const map = stepTimeMap([
    { step: 100, timeMs: 10_000 },
    { step: 200, timeMs: 30_000 },
    { step: 300, timeMs: 40_000 },
  ]);

  it("is linear between known steps, both ways", () => {
    expect(map.toTime(150)).toBe(20_000);
    expect(map.toStep(20_000)).toBe(150);
    expect(map.toTime(200)).toBe(30_000);
    expect(map.durationMs(100, 250)).toBe(25_000);
  });

  it("does not guess outside what is known", () => {
    expect(map.toTime(99)).toBeNull();
    expect(map.toStep(40_001)).toBeNull();
    expect(map.durationMs(0, 100)).toBeNull();
    expect(stepTimeMap([]).toTime(1)).toBeNull();
  });

  it("takes the earliest of several times of one step: the step ended when it was first reported", () => {
    expect(
      stepTimeMap([
        { step: 5, timeMs: 900 },
        { step: 5, timeMs: 700 },
      ]).toTime(5),
    ).toBe(700);
  });

  it("C7: refuses durations across a clock set back by an hour, and keeps those on either side", () => {
    const hour = 3_600_000;
    const back = stepTimeMap([
      { step: 1, timeMs: 10 * hour },
      { step: 2, timeMs: 10 * hour + 1000 },
      { step: 3, timeMs: 9 * hour + 2000 },
      { step: 4, timeMs: 9 * hour + 3000 },
    ]);
    expect(back.clockSetBack).toEqual([{ afterStep: 2, step: 3, by: hour - 1000 }]);
    expect(back.durationMs(2, 3)).toBeNull();
    expect(back.durationMs(1, 4)).toBeNull();
    expect(back.durationMs(1, 2)).toBe(1000);
    expect(back.durationMs(3, 4)).toBe(1000);
    expect(back.toTime(2.5)).toBeNull();
    expect(back.durationMs(4, 3)).toBeNull();
  });

  it("never gives a negative duration and inverts itself within a millisecond's rounding", () => {
    const pairs = fc.array(fc.record({ step: fc.integer({ min: 0, max: 1000 }), timeMs: fc.integer({ min: 0, max: 1_000_000 }) }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(pairs, fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }), (known, from, to) => {
        const any = stepTimeMap(known);
        const duration = any.durationMs(from, to);
        if (duration !== null) expect(duration).toBeGreaterThanOrEqual(0);
        if (any.clockSetBack.length > 0) return;
        const time = any.toTime(from);
        if (time === null) return;
        const step = any.toStep(time);
        expect(step).not.toBeNull();
        expect(any.toTime(step ?? Number.NaN)).toBeCloseTo(time, 6);
      }),
    );
  });
});

describe("tokenAxis", () => {
  it("C7: prefers the tokens that the source counted, so that runs of other batch sizes align", () => {
    const small = tokenAxis({
      consumed: [
        { step: 10, tokens: 1000 },
        { step: 20, tokens: 2000 },
      ],
      tokensPerStep: 7,
    });
    const large = tokenAxis({
      consumed: [
        { step: 5, tokens: 1000 },
        { step: 10, tokens: 2000 },
      ],
      tokensPerStep: null,
    });
    if (!small.available || !large.available) throw new Error("both axes are known");
    expect(small.source).toBe("tokens_consumed");
    expect([small.toStep(1500), large.toStep(1500)]).toEqual([15, 7.5]);
  });

  it("else multiplies by the tokens per step of the metadata, else says what is missing", () => {
    const axis = tokenAxis({ consumed: [], tokensPerStep: 4096 });
    if (!axis.available) throw new Error("tokens per step are known");
    expect([axis.source, axis.toTokens(3), axis.toStep(8192)]).toEqual(["tokens-per-step", 12_288, 2]);
    expect(tokenAxis({ consumed: [], tokensPerStep: null })).toEqual({
      available: false,
      why: "the run reports no tokens_consumed and its metadata has no tokens per step",
    });
  });
});

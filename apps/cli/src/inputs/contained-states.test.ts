import type { LogRecord } from "@trainwatch/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { containers, StateCollector } from "./contained-states.ts";
import type { StatePoints } from "./contained-states.ts";
import { RepeatFilter } from "./repeat-filter.ts";

const pointsOf = (steps: number, loss: (step: number) => number = (step) => 3 - step / 100): readonly LogRecord[] =>
  Array.from({ length: steps }, (_, index) => ({
    kind: "points",
    line: index + 1,
    step: 10 * (index + 1),
    stepUnit: "optimizer-steps",
    timeMs: null,
    labels: {},
    values: [["loss", loss(index)]],
  }));

function state(records: readonly LogRecord[]): StatePoints {
  const collector = new StateCollector();
  for (const record of records) collector.accept(record);
  return collector.points();
}

describe("containers", () => {
  it("puts each state into the largest that contains it, and leaves others alone", () => {
    const other = state(pointsOf(50, (step) => 2 - step / 100));
    expect(containers([state(pointsOf(10)), state(pointsOf(20)), state(pointsOf(30)), other])).toEqual([2, 2, 2, 3]);
  });

  it("keeps a state apart when a single value differs", () => {
    expect(containers([state(pointsOf(10, (step) => (step === 4 ? 9 : 3 - step / 100))), state(pointsOf(20))])).toEqual([0, 1]);
  });

  it("counts equal NaN as equal, and a state without points as contained in none", () => {
    expect(containers([state(pointsOf(5, () => Number.NaN)), state(pointsOf(9, () => Number.NaN)), state([])])).toEqual([1, 1, 2]);
  });

  it("always answers a state that is no smaller, and gives equal states one home", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        const homes = containers(sizes.map((size) => state(pointsOf(size))));
        homes.forEach((home, index) => expect(sizes[home] ?? -1).toBeGreaterThanOrEqual(sizes[index] ?? 0));
        const largest = Math.max(...sizes);
        if (largest > 0) expect(new Set(homes.filter((_, index) => (sizes[index] ?? 0) > 0)).size).toBe(1);
      }),
    );
  });
});

describe("RepeatFilter", () => {
  it("lets each point of three growing states through once", () => {
    const filter = new RepeatFilter();
    const passed = [10, 20, 30].flatMap((size) => pointsOf(size)).map((record) => filter.pass(record));
    expect(passed.filter((record) => record !== null)).toHaveLength(30);
    expect(filter.repeated).toBe(30);
  });

  it("lets a changed value at a known step through", () => {
    const filter = new RepeatFilter();
    pointsOf(3).forEach((record) => filter.pass(record));
    expect(
      pointsOf(3, () => 1)
        .map((record) => filter.pass(record))
        .every((record) => record !== null),
    ).toBe(true);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Act, inPushes, points, range } from "./scenario.fixture.ts";

const gap = fc.constantFrom(1, 1, 5, 10, 100);

function split(acts: readonly Act[], cuts: readonly number[]): Act[][] {
  const edges = [...new Set(cuts.map((cut) => cut % (acts.length + 1)))].sort((a, b) => a - b);
  return [0, ...edges].map((from, index) => acts.slice(from, edges[index] ?? acts.length));
}

/** Every point at a step that a run of `steps` has not. */
const isAbsurd = (act: Act): boolean => "point" in act && act.point.step >= 1e9;

describe("steps that are none of the run's", () => {
  /** Up to eight in a row, anywhere behind the first step: the run goes on for a while after each. */
  const absurd = fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 40 }),
      step: fc.constantFrom(1e9, 5e9, 4e12, 2 ** 53 - 100),
      count: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 8 })),
    }),
    { maxLength: 3 },
  );

  it("never make an attempt or writer, never stay in what the run has reached, and never cost another point", () => {
    fc.assert(
      fc.property(
        gap,
        fc.integer({ min: 0, max: 2000 }),
        fc.integer({ min: 0, max: 2 }),
        absurd,
        fc.constantFrom(1, 2),
        fc.array(fc.nat(400), { maxLength: 20 }),
        fc.boolean(),
        (by, start, before, groups, series, cuts, single) => {
          const steps: number[] = range(1e9, 1e9 + before - 1);
          // Where absurd steps are all that is known but for a point or two, they are the run.
          const sorted = groups.map((each) => ({ ...each, at: each.at + (before > 0 ? 4 : 0) })).toSorted((a, b) => a.at - b.at);
          const apart = sorted.filter(({ at }, index) => index === 0 || at - (sorted[index - 1]?.at ?? 0) > 8);
          for (let index = 0; index < 60; index++) {
            steps.push(start + index * by);
            for (const { step, count } of apart.filter(({ at }) => at === index + 1)) steps.push(...range(step, step + count - 1));
          }
          const acts = steps.flatMap((step) => ["loss", "grad_norm"].slice(0, series).flatMap((key) => points(key, [step])));
          const { lineage, where, far } = inPushes(single ? acts.map((each) => [each]) : split(acts, cuts));
          expect(lineage.attempts()).toMatchObject([{ name: "a1", firstStep: start, lastStep: start + 59 * by }]);
          expect(new Set(where.values())).toEqual(new Set(["a1/-"]));
          expect(where.size).toBe(acts.length);
          expect([...far].map(({ step }) => step).toSorted((a, b) => a - b)).toEqual(
            acts
              .filter(isAbsurd)
              .flatMap((each) => ("point" in each ? [each.point.step] : []))
              .toSorted((a, b) => a - b),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("are real once the run stays there, and then nothing of them is hidden", () => {
    fc.assert(
      fc.property(gap, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 9, max: 30 }), fc.boolean(), (by, before, after, single) => {
        const acts = points("loss", [...range(0, (before - 1) * by, by), ...range(1_000_000, 1_000_000 + (after - 1) * by, by)]);
        const { lineage, far } = inPushes(single ? acts.map((each) => [each]) : [acts]);
        expect(lineage.attempts()).toMatchObject([{ name: "a1", firstStep: 0, lastStep: 1_000_000 + (after - 1) * by }]);
        expect(far.size).toBe(0);
      }),
    );
  });
});

describe("points that come out of order", () => {
  /** Each step up to three places from where it belongs. */
  const order = fc
    .array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 })
    .map((delays) => delays.map((delay, index) => ({ index, at: index + delay })).toSorted((a, b) => a.at - b.at || b.index - a.index))
    .map((late) => late.map(({ index }) => index));

  it("make no attempt and no writer, not even for a while, each in a push of its own", () => {
    fc.assert(
      fc.property(gap, fc.integer({ min: 1, max: 300 }), order, fc.constantFrom(1, 2), (by, start, places, series) => {
        const acts = places.flatMap((place) =>
          ["loss", "grad_norm"].slice(0, series).flatMap((key) => points(key, [(start + place) * by])),
        );
        const { where } = inPushes(
          acts.map((each) => [each]),
          (lineage) => expect(lineage.attempts().map(({ name }) => name)).toEqual(["a1"]),
        );
        expect(new Set(where.values())).toEqual(new Set(["a1/-"]));
      }),
      { numRuns: 1000 },
    );
  });

  it("3, 1, 2 at the beginning of a run are one attempt", () => {
    const { lineage, where } = inPushes(points("loss", [3, 1, 2, 4, 5, 6]).map((each) => [each]));
    expect(lineage.attempts()).toMatchObject([{ name: "a1", firstStep: 1, lastStep: 6 }]);
    expect(new Set(where.values())).toEqual(new Set(["a1/-"]));
  });

  it("are a restart all the same where steps come again with other values", () => {
    const { lineage } = inPushes(points("loss", [3, 1, 2, 1, 2, 3, 4]).map((each) => [each]));
    expect(lineage.attempts()).toHaveLength(2);
  });
});

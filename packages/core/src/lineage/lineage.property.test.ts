import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Act, inPushes, interleave, points, range } from "./scenario.fixture.ts";

const series = fc.constantFrom("loss", "grad_norm", "eval/loss");

/** Lives of a run: stretches of rising steps that fall back, strays, far jumps, second writers, markers. */
const stretch: fc.Arbitrary<Act[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), fc.constantFrom(1, 1, 5))
      .map(([from, length, by]) => linesOf(from, from + length * by, by)),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(series, fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 6 })).map(([key, steps]) => points(key, steps)),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(1e9, 4e12, 50_000), fc.integer({ min: 1, max: 5 }))
      .map(([step, count]) => points("loss", range(step, step + count - 1))),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 4 }))
      .map(([from, length, lag]) =>
        interleave(points("loss", range(from, from + length)), points("loss", range(Math.max(0, from - lag), from + length))),
      ),
  },
  { weight: 1, arbitrary: fc.constant<Act[]>([{ marker: "launch" }]) },
  { weight: 1, arbitrary: fc.constantFrom("job-1", "job-2", null).map((named): Act[] => [{ named }]) },
);

function linesOf(from: number, to: number, by: number): Act[] {
  return interleave(points("loss", range(from, to, by)), points("grad_norm", range(from, to, by)));
}

const life = fc.array(stretch, { minLength: 1, maxLength: 8 }).map((parts) => parts.flat());

function split(acts: readonly Act[], cuts: readonly number[]): Act[][] {
  const edges = [...new Set(cuts.map((cut) => cut % (acts.length + 1)))].sort((a, b) => a - b);
  return [0, ...edges].map((from, index) => acts.slice(from, edges[index] ?? acts.length));
}

/** A name from the source decides all that is undecided. */
const closing: Act = { named: "closing" };

describe("lineage, whatever the input", () => {
  it("gives the same attempts and places for any split into pushes as for one push", () => {
    fc.assert(
      fc.property(life, fc.array(fc.nat({ max: 400 }), { maxLength: 12 }), (acts, cuts) => {
        const whole = inPushes([acts]);
        const parts = inPushes(split(acts, cuts));
        expect(parts.lineage.attempts()).toEqual(whole.lineage.attempts());
        const wholeClosed = inPushes([[...acts, closing]]);
        const partsClosed = inPushes([...split(acts, cuts), [closing]]);
        for (const [point, identity] of wholeClosed.where) expect(partsClosed.where.get(point)).toBe(identity);
        expect(partsClosed.far).toEqual(wholeClosed.far);
      }),
      { numRuns: 400 },
    );
  });

  it("gives the same attempts and places when every point is a push of its own", () => {
    fc.assert(
      fc.property(life, (acts) => {
        const whole = inPushes([acts]);
        const single = inPushes(acts.map((item) => [item]));
        expect(single.lineage.attempts()).toEqual(whole.lineage.attempts());
        const wholeClosed = inPushes([[...acts, closing]]);
        const singleClosed = inPushes([...acts, closing].map((item) => [item]));
        for (const [point, identity] of wholeClosed.where) expect(singleClosed.where.get(point)).toBe(identity);
        expect(singleClosed.far).toEqual(wholeClosed.far);
      }),
      { numRuns: 200 },
    );
  });

  it("places every point exactly once, in an attempt that is listed", () => {
    fc.assert(
      fc.property(life, (acts) => {
        const { lineage, where } = inPushes([acts]);
        expect(where.size).toBe(acts.filter((item) => "point" in item).length);
        const names = new Set(lineage.attempts().map((attempt) => attempt.name));
        for (const identity of where.values()) expect(names).toContain(identity.split("/")[0]);
      }),
      { numRuns: 200 },
    );
  });

  it("lists no attempt without points, and only parents that are listed before", () => {
    fc.assert(
      fc.property(life, (acts) => {
        const { lineage, where } = inPushes([acts]);
        const used = new Set([...where.values()].map((identity) => identity.split("/")[0]));
        const seen = new Set<string>();
        for (const attempt of lineage.attempts()) {
          expect(used).toContain(attempt.name);
          if (attempt.parent !== null) expect(seen).toContain(attempt.parent);
          expect(seen).not.toContain(attempt.name);
          seen.add(attempt.name);
        }
      }),
      { numRuns: 200 },
    );
  });
});

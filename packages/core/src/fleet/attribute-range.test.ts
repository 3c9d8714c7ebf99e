import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AttributeRange, changeOfRanges } from "./attribute-range.ts";

/** What the store does with a change. */
function told(ranges: readonly AttributeRange[], value: string, atMs: number): readonly AttributeRange[] {
  const before = ranges.findLast(({ fromMs }) => fromMs <= atMs) ?? null;
  const after = ranges.find(({ fromMs }) => fromMs > atMs) ?? null;
  const change = changeOfRanges(before, after, value, atMs);
  if (change === null) return ranges;
  const kept = ranges.map((range) => {
    if (range === before && change.close !== null) return { ...range, toMs: change.close };
    if (range === before && change.correct !== null) return { ...range, value: change.correct };
    return range === after && change.extend !== null ? { ...range, fromMs: change.extend } : range;
  });
  return [...kept, ...(change.add === null ? [] : [change.add])].sort((a, b) => a.fromMs - b.fromMs);
}

function all(sightings: readonly (readonly [string, number])[]): readonly AttributeRange[] {
  return sightings.reduce<readonly AttributeRange[]>((ranges, [value, atMs]) => told(ranges, value, atMs), []);
}

describe("ranges of an attribute", () => {
  it("begin where a value is seen and end where another one is", () => {
    expect(
      all([
        ["a", 10],
        ["a", 20],
        ["b", 30],
        ["b", 40],
      ]),
    ).toEqual([
      { value: "a", fromMs: 10, toMs: 30 },
      { value: "b", fromMs: 30, toMs: null },
    ]);
  });

  it("reach back where an earlier sighting comes late, and are parted by one of another value", () => {
    expect(
      all([
        ["a", 30],
        ["a", 10],
      ]),
    ).toEqual([{ value: "a", fromMs: 10, toMs: null }]);
    expect(
      all([
        ["a", 30],
        ["b", 10],
      ]),
    ).toEqual([
      { value: "b", fromMs: 10, toMs: 30 },
      { value: "a", fromMs: 30, toMs: null },
    ]);
  });

  it("go on after a gap that somebody else has made", () => {
    expect(told([{ value: "0", fromMs: 0, toMs: 10 }], "0", 20)).toEqual([
      { value: "0", fromMs: 0, toMs: 10 },
      { value: "0", fromMs: 20, toMs: null },
    ]);
  });

  const sightings = fc.uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c"), fc.integer({ min: 0, max: 40 })), {
    selector: ([, atMs]) => atMs,
    maxLength: 20,
  });
  const holding = (ranges: readonly AttributeRange[], at: number) =>
    ranges.filter(({ fromMs, toMs }) => fromMs <= at && (toMs === null || at < toMs)).map(({ value }) => value);

  it("hold at each time what was seen there, and a repeat changes nothing", () => {
    fc.assert(
      fc.property(sightings, (some) => {
        const ordered = some.toSorted(([, a], [, b]) => a - b);
        const ranges = all(ordered);
        for (const [value, atMs] of ordered) expect(holding(ranges, atMs)).toEqual([value]);
        expect(all([...ordered, ...ordered])).toEqual(ranges);
      }),
    );
  });

  it("never overlap, and hold what was told last, in whichever order times come", () => {
    fc.assert(
      fc.property(sightings, (some) => {
        const ranges = all(some);
        const last = some.at(-1);
        if (last !== undefined) expect(holding(ranges, last[1])).toEqual([last[0]]);
        for (const [place, { fromMs, toMs }] of ranges.entries()) {
          expect(toMs === null || toMs > fromMs).toBe(true);
          const next = ranges[place + 1];
          if (next !== undefined) expect(toMs !== null && toMs <= next.fromMs).toBe(true);
        }
      }),
    );
  });
});

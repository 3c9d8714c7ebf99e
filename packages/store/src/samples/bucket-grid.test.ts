import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketGrid } from "./bucket-grid.ts";

describe("bucketGrid", () => {
  it("covers the range with at most as many buckets as asked, on boundaries that powers of two divide", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.constantFrom(64, 256, 512, 1024),
        (from, span, buckets) => {
          const { width, first, count, exponent } = bucketGrid(from, from + span, buckets);
          expect(count).toBeLessThanOrEqual(buckets);
          expect(first * width).toBeLessThanOrEqual(from);
          expect((first + count) * width).toBeGreaterThan(from + span);
          expect(width % 2 ** exponent).toBe(0);
          // A narrower one would not do: at least six in ten buckets are used, unless single steps are drawn.
          if (width > 1) expect(span / width).toBeGreaterThan(buckets * 0.6 - 2);
        },
      ),
    );
  });

  it("keeps its boundaries while the range grows, until the width changes", () => {
    const before = bucketGrid(1, 1_000_000, 1024);
    const after = bucketGrid(1, 1_000_900, 1024);
    expect(after.width).toBe(before.width);
    expect(after.first).toBe(before.first);
  });

  it("draws single steps where there are buckets enough", () => {
    expect(bucketGrid(100, 1123, 1024)).toEqual({ width: 1, first: 100, count: 1024, exponent: 0 });
  });
});

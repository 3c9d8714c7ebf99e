import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bell, drift, keyOf, uniform, unsteady, uuidText } from "./noise.ts";

const places = Array.from({ length: 20_000 }, (_, place) => place);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("noise", () => {
  it("is spread as it says, place by place and key by key", () => {
    for (const draw of [(at: number) => bell(77, at), (at: number) => bell(at, 77), (at: number) => bell(keyOf(3, at), 1_795_982_400)]) {
      const drawn = places.map(draw);
      expect(Math.abs(mean(drawn))).toBeLessThan(0.03);
      expect(Math.sqrt(mean(drawn.map((value) => value ** 2)))).toBeCloseTo(1, 1);
    }
    const shares = places.map((at) => uniform(5, at));
    expect(mean(shares)).toBeCloseTo(0.5, 1);
    expect(Math.max(...shares)).toBeLessThan(1);
  });

  it("of neighbouring places and keys has nothing to do with each other", () => {
    const products = places.map((at) => bell(9, at) * bell(9, at + 1));
    expect(Math.abs(mean(products))).toBeLessThan(0.03);
    const acrossKeys = places.map((at) => bell(at, 1000) * bell(at ^ 1, 1000));
    expect(Math.abs(mean(acrossKeys))).toBeLessThan(0.03);
  });

  it("that drifts does not jump", () => {
    for (let second = 0; second < 2_000; second++) expect(Math.abs(drift(4, second + 1, 60) - drift(4, second, 60))).toBeLessThan(7 / 60);
  });

  it("of what grows never makes it fall, begins at 0 and stays near", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.double({ min: 0, max: 1e5, noNaN: true }),
        (key, from, more) => {
          expect(unsteady(key, 0)).toBe(0);
          expect(unsteady(key, from + more)).toBeGreaterThanOrEqual(unsteady(key, from));
          expect(Math.abs(unsteady(key, from) - from)).toBeLessThanOrEqual(4);
        },
      ),
    );
  });

  it("makes ids that differ", () => {
    const ids = new Set(places.map((at) => uuidText(keyOf(1, at))));
    expect(ids.size).toBe(places.length);
    expect([...ids][0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });
});

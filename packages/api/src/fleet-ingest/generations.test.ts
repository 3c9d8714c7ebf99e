import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGenerations } from "./generations.ts";

describe("what is remembered of late", () => {
  it("keeps what is used and forgets what is not, by weight", () => {
    const map = createGenerations<number>(10);
    map.set("used", 1, 1);
    map.set("idle", 2, 1);
    for (let index = 0; index < 20; index++) {
      map.set(`other ${index}`, index, 1);
      expect(map.get("used")).toBe(1);
    }
    expect(map.get("idle")).toBeUndefined();
  });

  it("never gives another value than the last one set, and holds no more than its weight allows", () => {
    const act = fc.record({ key: fc.nat(12), weight: fc.integer({ min: 1, max: 3 }), sets: fc.boolean() });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
        const map = createGenerations<number>(12);
        const truth = new Map<number, { readonly value: number; readonly weight: number }>();
        acts.forEach(({ key, weight, sets }, index) => {
          if (sets) {
            map.set(String(key), index, weight);
            truth.set(key, { value: index, weight });
          } else expect([undefined, truth.get(key)?.value]).toContain(map.get(String(key)));
        });
        const held = [...truth].filter(([key, { value }]) => map.get(String(key)) === value);
        expect(held.reduce((sum, [, { weight }]) => sum + weight, 0)).toBeLessThanOrEqual(12 + 3);
      }),
    );
  });
});

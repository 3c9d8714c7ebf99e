import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWeightGate } from "./weight-gate.ts";

const LIMIT = 10;

describe("weight gate", () => {
  it("never holds more than its limit, save one heavier thing alone, and lets all in, in their order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 40 }), async (weights) => {
        const gate = createWeightGate(LIMIT);
        let inside = 0;
        let count = 0;
        const entered: number[] = [];
        await Promise.all(
          weights.map((weight, index) =>
            gate.within(weight, async () => {
              entered.push(index);
              inside += weight;
              count++;
              expect(inside <= LIMIT || count === 1).toBe(true);
              await new Promise((resolve) => setImmediate(resolve));
              inside -= weight;
              count--;
            }),
          ),
        );
        expect(entered).toEqual(weights.map((_, index) => index));
      }),
    );
  });

  it("goes on after work that failed", async () => {
    const gate = createWeightGate(1);
    const failed = gate.within(1, () => Promise.reject(new Error("away")));
    const next = gate.within(1, () => Promise.resolve("in"));
    await expect(failed).rejects.toThrow("away");
    expect(await next).toBe("in");
  });
});

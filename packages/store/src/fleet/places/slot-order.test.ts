import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GROUP_SLOTS } from "../contract.ts";
import { identity } from "../identity.fixture.ts";
import { slotsFor } from "./slot-order.ts";

const gpus = (metric: string, count: number) => Array.from({ length: count }, (_, index) => identity(metric, `GPU-${index}`));

describe("slots of new series", () => {
  it("keep the 8 GPUs of a metric together, from a multiple of 8 on, and fill the gap before them", () => {
    const series = [identity("up", null), ...gpus("power", 8), identity("scrape", null), ...gpus("temp", 8)];
    const slots = slotsFor(series, 7).map(({ slot }) => slot);
    // `scrape` fills slot 7, the GPUs stand in whole sections from 8 on, `up` comes behind them.
    expect(slots[9]).toBe(7);
    expect(slots.slice(1, 9)).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
    expect(slots.slice(10)).toEqual([16, 17, 18, 19, 20, 21, 22, 23]);
    expect(slots[0]).toBe(24);
  });

  it("are each given once, leave no more than 7 unused, and do not depend on the order in which the series came", () => {
    const some = fc.uniqueArray(
      fc.record({ metric: fc.constantFrom("a", "b", "c", "d"), gpu: fc.option(fc.nat(40).map((index) => `GPU-${index}`)) }),
      {
        minLength: 1,
        maxLength: 200,
        selector: ({ metric, gpu }) => `${metric} ${gpu}`,
      },
    );
    fc.assert(
      fc.property(some, fc.nat(GROUP_SLOTS), fc.func(fc.integer()), (given, used, shuffle) => {
        const series = given.map(({ metric, gpu }) => identity(metric, gpu));
        const at = slotsFor(series, used).map(({ group, slot }) => GROUP_SLOTS * group + slot);
        expect(new Set(at).size).toBe(series.length);
        expect(Math.min(...at)).toBeGreaterThanOrEqual(used);
        expect(Math.max(...at)).toBeLessThan(used + series.length + 8);
        const other = [...series].sort((a, b) => shuffle(a.key) - shuffle(b.key));
        const otherAt = slotsFor(other, used).map(({ group, slot }) => GROUP_SLOTS * group + slot);
        expect(new Map(other.map(({ key }, index) => [key, otherAt[index]]))).toEqual(
          new Map(series.map(({ key }, index) => [key, at[index]])),
        );
      }),
    );
  });
});

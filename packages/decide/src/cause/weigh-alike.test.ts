import { describe, expect, it } from "vitest";
import { weighAlike } from "./weigh-alike.ts";

describe("weighAlike", () => {
  it.each([
    ["the third batch of a rank", { fact: "rank-deviates", value: 2 }, { fact: "rank-deviates", value: 3 }],
    ["a share of throttling over its bound", { fact: "throttled", value: 0.005 }, { fact: "throttled", value: 0.02 }],
    ["another fact of the same value", { fact: "link-down", value: 1 }, { fact: "link-errors", value: 1 }],
    ["an XID of another class", { fact: "gpu-error", value: 31 }, { fact: "gpu-error", value: 79 }],
  ] as const)("sees %s", (_what, before, after) => {
    expect(weighAlike([before], [after])).toBe(false);
    expect(weighAlike([after], [before])).toBe(false);
  });

  it("sees a fact that is new, and one that is gone", () => {
    const held = [{ fact: "hot", value: 12 }] as const;
    expect(weighAlike(held, [...held, { fact: "throttled", value: 0.2 }])).toBe(false);
    expect(weighAlike(held, [])).toBe(false);
  });

  it("sees nothing in values that move within a bound, nor in another order", () => {
    for (let batches = 4; batches < 200; batches++)
      expect(weighAlike([{ fact: "rank-deviates", value: 3 }], [{ fact: "rank-deviates", value: batches }])).toBe(true);
    const facts = [
      { fact: "hot", value: 12.25 },
      { fact: "throttled", value: 0.2 },
    ] as const;
    expect(
      weighAlike(facts, [
        { fact: "throttled", value: 0.31 },
        { fact: "hot", value: 14 },
      ]),
    ).toBe(true);
  });
});

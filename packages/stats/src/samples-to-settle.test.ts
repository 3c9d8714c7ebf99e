import { describe, expect, it } from "vitest";
import { normalDraw, pairedDifference, samplesToSettle, seededRandom } from "./index.ts";

describe("samplesToSettle", () => {
  it("is (1.95996 + 0.84162)² · (sd / delta)²: 785 pairs for a tenth of a standard deviation", () => {
    expect(samplesToSettle({ delta: 0.1, perPairSd: 1, level: 0.95, power: 0.8 })).toBe(785);
    expect(samplesToSettle({ delta: -0.1, perPairSd: 1, level: 0.95, power: 0.8 })).toBe(785);
  });

  it("gives about the power that it says, at that many samples", () => {
    const random = seededRandom(8);
    const n = samplesToSettle({ delta: 0.2, perPairSd: 1, level: 0.95, power: 0.8 }) ?? 0;
    let found = 0;
    const draws = 3_000;
    for (let draw = 0; draw < draws; draw++) {
      const differences = Float64Array.from({ length: n }, () => 0.2 + normalDraw(random));
      if (pairedDifference(differences, { level: 0.95 }).p < 0.05) found++;
    }
    expect(found / draws).toBeGreaterThan(0.77);
    expect(found / draws).toBeLessThan(0.83);
  });

  it("names no number where none settles it", () => {
    expect(samplesToSettle({ delta: 0, perPairSd: 1, level: 0.95, power: 0.8 })).toBeNull();
    expect(samplesToSettle({ delta: Number.NaN, perPairSd: 1, level: 0.95, power: 0.8 })).toBeNull();
    expect(samplesToSettle({ delta: 1, perPairSd: Number.NaN, level: 0.95, power: 0.8 })).toBeNull();
    expect(samplesToSettle({ delta: 1e-200, perPairSd: 1, level: 0.95, power: 0.8 })).toBeNull();
  });
});

import { gateSchema, type GateInput } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { amountUnit, draftOf, gateOf, newGateDraft, type GateDraft } from "./gate-draft.ts";
import { aRow } from "./release.fixture.ts";

const MATH = aRow("math", []);
const LATENCY = aRow("latency", [], { unit: "s", scale: 1, better: "lower" });
const ROWS = [MATH, LATENCY];
const draft = (over: Partial<GateDraft>): GateDraft => ({ ...newGateDraft(1, MATH), ...over });

describe("a gate as it is written", () => {
  it("takes a loss in points of per cent and keeps it as a share", () => {
    expect(gateOf(draft({ amount: "2" }), ROWS).gate).toEqual({ kind: "no-loss", row: MATH.key, margin: 0.02, confidence: 0.95 });
    expect(amountUnit(draft({}), MATH)).toBe("pp");
  });

  it("takes a limit in the row's own unit, measured or shown", () => {
    const limit = draft({ kind: "limit", row: LATENCY.key, bound: "at-most", amount: "2,5", confidence: "" });
    expect(gateOf(limit, ROWS).gate).toEqual({ kind: "limit", row: LATENCY.key, bound: "at-most", value: 2.5, confidence: null });
    expect(amountUnit(limit, LATENCY)).toBe("s");
  });

  it("takes what needs no row", () => {
    expect(gateOf(draft({ kind: "worse-rows", amount: "0", dimension: "safety" }), ROWS).gate).toEqual({
      kind: "worse-rows",
      dimension: "safety",
      most: 0,
    });
    expect(amountUnit(draft({ kind: "worse-rows" }), MATH)).toBe("");
    expect(gateOf(draft({ kind: "verified", row: "" }), ROWS).gate).toEqual({ kind: "verified" });
  });

  it.each([
    [{ amount: "" }, "A number is missing"],
    [{ amount: "abc" }, "A number is missing"],
    [{ amount: "-1" }, "A loss of 0 or more"],
    [{ confidence: "100" }, "A confidence between 50 and 100 %"],
    [{ confidence: "" }, "A confidence between 50 and 100 %"],
    [{ row: "gone" }, "Choose a row"],
    [{ kind: "worse-rows", amount: "1.5" }, "A whole number of rows, 0 or more"],
  ] as const)("%o lacks something: %s", (over, fault) => {
    expect(gateOf(draft(over), ROWS)).toEqual({ gate: null, fault });
  });

  const fixed: readonly GateInput[] = [
    { kind: "no-loss", row: MATH.key, margin: 0.015, confidence: 0.9 },
    { kind: "limit", row: MATH.key, bound: "at-least", value: 0.985, confidence: null },
    { kind: "limit", row: LATENCY.key, bound: "at-most", value: 2.5, confidence: 0.99 },
    { kind: "worse-rows", dimension: null, most: 3 },
    { kind: "before-turning-point" },
  ];
  it.each(fixed)("what was fixed comes back the same: %o", (gate) => {
    expect(gateOf(draftOf(7, gateSchema.parse(gate), ROWS), ROWS).gate).toEqual(gate);
  });
});

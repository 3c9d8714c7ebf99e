import { describe, expect, it } from "vitest";
import { evidenceQuantity } from "./evidence-words.ts";

describe("the raw value of a fact", () => {
  it.each([
    [11.4, "σ", { text: "11.4", unit: "σ" }],
    [4_827, "steps", { text: "4,827", unit: "steps" }],
    [0.00012, null, { text: "1.20e−4", unit: "" }],
    [0, "of 14", { text: "0", unit: "of 14" }],
    ["NaN", "nats", { text: "NaN", unit: "" }],
    [null, "nats", { text: "–", unit: "" }],
  ] as const)("%j %s is written as %j", (value, unit, expected) => {
    expect(evidenceQuantity({ value, unit })).toEqual(expected);
  });
});

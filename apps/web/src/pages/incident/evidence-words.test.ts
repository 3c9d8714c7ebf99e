import type { Evidence } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { distinctEvidence, evidenceQuantity } from "./evidence-words.ts";

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

describe("the evidence of several findings", () => {
  const unseen: Evidence = { text: "No record of the data is compared", weight: "against", value: null, unit: null, source: null };
  const rise: Evidence = { text: "It rose by 11 σ", weight: "for", value: 11, unit: "σ", source: "loss" };

  it("says once what two findings say alike, in the order in which it first came", () => {
    expect(distinctEvidence([{ evidence: [rise, unseen] }, { evidence: [unseen, { ...rise, value: 11.2 }] }])).toEqual([rise, unseen]);
  });

  it.each([{ text: "It rose by 12 σ" }, { source: "grad_norm" }, { weight: "neutral" }] as const)(
    "keeps apart what differs in %j",
    (difference) => {
      const other = { ...rise, ...difference };
      expect(distinctEvidence([{ evidence: [rise] }, { evidence: [other] }])).toEqual([rise, other]);
    },
  );
});

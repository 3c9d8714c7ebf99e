import { describe, expect, it } from "vitest";
import { rankFindings, rankTrace } from "../testing/rank-traces.fixture.ts";
import { expertLoad } from "./expert/expert-load.ts";
import { recomputeMismatch } from "./recompute/recompute-mismatch.ts";

type Value = (metric: string, rank: number, step: number, healthy: number) => number | undefined;
const trace = (value: Value, steps = 200, ranks = 16) => rankTrace({ steps, ranks, seed: 71, value });
const within = (step: number, from: number, to: number): boolean => step >= from && step < to;

describe("recompute-mismatch", () => {
  it("pages at the first mismatch and names the rank", () => {
    const once = trace((metric, rank, step, healthy) => (metric === "recompute_mismatches" && rank === 9 && step === 50 ? 3 : healthy));
    expect(rankFindings(recomputeMismatch, once)).toMatchObject([
      {
        severity: "critical",
        subject: { kind: "rank", id: "9" },
        place: { gpuId: "GPU-9" },
        onsetStep: 50,
        onsetLowerStep: 50,
        peakValue: 3,
        facts: [{ fact: "recompute-mismatch", value: 1 }],
      },
    ]);
  });

  it("takes mismatches of many ranks for a kernel that is not deterministic: one ticket on the run", () => {
    const many = trace((metric, _rank, step, healthy) => (metric === "recompute_mismatches" && step >= 50 ? 1 : healthy));
    expect(rankFindings(recomputeMismatch, many)).toMatchObject([{ severity: "warning", subject: { kind: "run" } }]);
    expect(rankFindings(recomputeMismatch, many, { parameters: { "recompute-mismatch": { few: 20 } } })).toHaveLength(16);
  });

  it("does not take NaN for a count", () => {
    expect(
      rankFindings(
        recomputeMismatch,
        trace((metric, rank, _step, healthy) => (metric === "recompute_mismatches" && rank === 2 ? Number.NaN : healthy)),
      ),
    ).toEqual([]);
  });

  it("is over after as many clean steps as its parameter says", () => {
    const once = trace((metric, rank, step, healthy) => (metric === "recompute_mismatches" && rank === 9 && step === 50 ? 3 : healthy));
    expect(rankFindings(recomputeMismatch, once, { parameters: { "recompute-mismatch": { clean: 100 } } })).toMatchObject([
      { state: "recovered", endStep: 50 },
    ]);
  });
});

describe("expert-load", () => {
  const factor = (by: number, from: number, to: number) =>
    trace((metric, _rank, step, healthy) => (metric === "expert_load_ratio" && within(step, from, to) ? by * healthy : healthy), 300);

  it("warns of a router out of balance for twenty steps, from the first of them on", () => {
    expect(rankFindings(expertLoad, factor(4, 100, 300))).toMatchObject([
      { severity: "warning", onsetStep: 100, detectedStep: 119, state: "ongoing" },
    ]);
  });

  it("makes a note of a rise that stays below the limit", () => {
    expect(rankFindings(expertLoad, factor(1.8, 100, 300), { notes: true })).toMatchObject([{ severity: "info" }]);
  });

  it("says nothing of nineteen steps, and ends when the balance is back", () => {
    expect(rankFindings(expertLoad, factor(4, 100, 119), { notes: true })).toEqual([]);
    expect(rankFindings(expertLoad, factor(4, 100, 150))).toMatchObject([{ state: "recovered", endStep: 149 }]);
  });

  it("honours its parameters", () => {
    const under = (parameters: Record<string, number>) =>
      rankFindings(expertLoad, factor(1.8, 100, 300), { notes: true, parameters: { "expert-load": parameters } });
    expect(under({ rise: 3 })).toEqual([]);
    expect(under({ ratio: 2 })).toMatchObject([{ severity: "warning" }]);
    expect(under({ in_a_row: 5 })[0]?.detectedStep).toBe(104);
    expect(under({ window: 2_000 })).toHaveLength(1);
  });
});

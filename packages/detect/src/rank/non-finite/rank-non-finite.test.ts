import { describe, expect, it } from "vitest";
import { rankFindings, rankTrace } from "../../testing/rank-traces.fixture.ts";
import { rankNonFinite } from "./rank-non-finite.ts";

type Value = (metric: string, rank: number, step: number, healthy: number) => number | undefined;
const trace = (value: Value, steps = 60, ranks = 16) =>
  rankTrace({ steps, ranks, value }).filter(({ metric }) => metric === "loss" || metric === "grad_norm");

describe("rank-non-finite", () => {
  it("pages at once and names the rank, before the NaN has spread to all", () => {
    const spread = trace((metric, rank, step, healthy) =>
      metric === "loss" && (step > 20 || (step === 20 && rank === 7)) ? Number.NaN : healthy,
    );
    const findings = rankFindings(rankNonFinite, spread);
    expect(findings).toMatchObject([
      {
        subject: { kind: "rank", id: "7" },
        place: { gpuId: "GPU-7", nodeId: "node-1" },
        severity: "critical",
        onsetStep: 20,
        onsetLowerStep: 20,
        detectedStep: 20,
        peakValue: "NaN",
        state: "non-finite",
      },
    ]);
    expect(findings[0]?.evidence.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^From step 21 on most ranks were not finite/),
    );
    expect(findings[0]?.facts.map(({ fact }) => fact)).toEqual(["non-finite", "rank-deviates"]);
  });

  it("says nothing where all ranks, or half of them, are not finite from one step on", () => {
    expect(
      rankFindings(
        rankNonFinite,
        trace((_metric, _rank, step, healthy) => (step >= 20 ? Number.NaN : healthy)),
        { notes: true },
      ),
    ).toEqual([]);
    expect(
      rankFindings(
        rankNonFinite,
        trace((_metric, rank, step, healthy) => (step >= 20 && rank % 2 === 0 ? Number.NaN : healthy)),
        { notes: true },
      ),
    ).toEqual([]);
  });

  it("takes one infinite norm for what fp16 loss scaling makes, a second on the same rank for a fault", () => {
    const overflows =
      (steps: readonly number[]): Value =>
      (metric, rank, step, healthy) =>
        metric === "grad_norm" && rank === 3 && steps.includes(step) ? Number.POSITIVE_INFINITY : healthy;
    expect(rankFindings(rankNonFinite, trace(overflows([10])))).toMatchObject([{ severity: "warning", state: "recovered", endStep: 10 }]);
    expect(rankFindings(rankNonFinite, trace(overflows([10, 11])))).toMatchObject([{ severity: "critical" }]);
    expect(rankFindings(rankNonFinite, trace(overflows([10, 40]))).map(({ severity }) => severity)).toEqual(["warning", "critical"]);
  });

  it("does not take silence for NaN", () => {
    expect(
      rankFindings(
        rankNonFinite,
        trace((_metric, rank, step, healthy) => (rank === 3 && step > 10 ? undefined : healthy)),
        { notes: true },
      ),
    ).toEqual([]);
  });

  it("is over after eight finite steps, and begins anew after that", () => {
    const bands = trace((metric, rank, step, healthy) =>
      metric === "loss" && rank === 2 && (step === 10 || step === 15 || step === 30) ? Number.NaN : healthy,
    );
    expect(rankFindings(rankNonFinite, bands).map(({ onsetStep, endStep, state }) => [onsetStep, endStep, state])).toEqual([
      [10, 15, "recovered"],
      [30, 30, "recovered"],
    ]);
  });

  it("names a few ranks each, such as the tensor ranks of a replica, and of more none, as its parameters say", () => {
    const bad = (many: number) =>
      trace((metric, rank, step, healthy) => (metric === "loss" && rank < many && step === 20 ? Number.NaN : healthy), 60, 40);
    expect(rankFindings(rankNonFinite, bad(8), { placements: [] })).toHaveLength(8);
    expect(rankFindings(rankNonFinite, bad(9), { placements: [] })).toEqual([]);
    expect(rankFindings(rankNonFinite, bad(9), { placements: [], parameters: { "rank-non-finite": { crowd: 0.4 } } })).toHaveLength(9);
  });
});

import { describe, expect, it } from "vitest";
import { PLACEMENTS, rankFindings, rankTrace } from "../../testing/rank-traces.fixture.ts";
import { rankDeviation } from "./rank-deviation.ts";

type Value = (metric: string, rank: number, step: number, healthy: number) => number | undefined;
const trace = (value: Value, steps = 320, ranks = 16, seed = 31) =>
  rankTrace({ steps, ranks, seed, value }).filter(({ metric }) => metric === "loss" || metric === "grad_norm");
/** 5 σ of the gradient norm's noise. */
const FIVE = Math.exp(0.5);
const within = (step: number, from: number, to: number): boolean => step >= from && step < to;

describe("rank-deviation", () => {
  it("names the rank with its GPU and node, within 8 steps of a fault of 5 sigma, dated to its first step", () => {
    const [finding, ...others] = rankFindings(
      rankDeviation,
      trace((metric, rank, step, healthy) => (metric === "grad_norm" && rank === 6 && step >= 200 ? FIVE * healthy : healthy)),
    );
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      subject: { kind: "rank", id: "6" },
      place: { rank: 6, gpuId: "GPU-6", nodeId: "node-1", host: "n1" },
      metric: "grad_norm",
      shape: "jump",
    });
    expect((finding?.detectedStep ?? 0) - 200).toBeLessThan(8);
    expect(Math.abs((finding?.onsetStep ?? 0) - 200)).toBeLessThanOrEqual(1);
    expect(finding?.onsetLowerStep).toBeLessThanOrEqual(200);
    expect(finding?.facts).toEqual([{ fact: "rank-deviates", value: expect.any(Number) }]);
  });

  it("is a ticket at the alarm and pages as it goes on over other batches", () => {
    const fault = (last: number) =>
      trace((metric, rank, step, healthy) => (metric === "grad_norm" && rank === 6 && within(step, 200, last) ? FIVE * healthy : healthy));
    expect(rankFindings(rankDeviation, fault(208))).toMatchObject([{ severity: "warning" }]);
    expect(rankFindings(rankDeviation, fault(216))).toMatchObject([{ severity: "critical" }]);
  });

  it("sees a fall as well as a rise, and a fault on a third of the steps", () => {
    expect(
      rankFindings(
        rankDeviation,
        trace((metric, rank, step, healthy) => (metric === "loss" && rank === 2 && step >= 200 ? healthy * Math.exp(-0.1) : healthy)),
      ),
    ).toMatchObject([{ metric: "loss", subject: { id: "2" } }]);
    const third = rankFindings(
      rankDeviation,
      trace((metric, rank, step, healthy) =>
        metric === "grad_norm" && rank === 9 && step >= 200 && step % 3 === 0 ? FIVE * healthy : healthy,
      ),
    );
    expect(third).toMatchObject([{ subject: { id: "9" }, shape: "ramp" }]);
    expect(third[0]?.onsetLowerStep).toBeLessThanOrEqual(201);
  });

  it("dates a fault that grows no later than it began", () => {
    const [finding] = rankFindings(
      rankDeviation,
      trace((metric, rank, step, healthy) =>
        metric === "grad_norm" && rank === 4 && step >= 150 ? healthy * Math.exp(0.01 * (step - 150)) : healthy,
      ),
    );
    expect(finding).toMatchObject({ subject: { id: "4" }, shape: "ramp" });
    expect(finding?.onsetLowerStep).toBeLessThanOrEqual(150);
  });

  it("takes batches of 8 to 20 sigma on single ranks, once in a hundred rank-steps, for what they are", () => {
    const outliers = trace(
      (metric, rank, step, healthy) =>
        (step * 7 + rank * 13) % 101 === 0 && metric === "loss" ? healthy * Math.exp(0.02 * (8 + (step % 13))) : healthy,
      600,
    );
    expect(rankFindings(rankDeviation, outliers, { notes: true })).toEqual([]);
  });

  it("says nothing of a rank where all move together, however far", () => {
    expect(
      rankFindings(
        rankDeviation,
        trace((_metric, _rank, step, healthy) => (step >= 200 ? 4 * healthy : healthy)),
        { notes: true },
      ),
    ).toEqual([]);
  });

  it("makes one note of a crowd: many ranks at once are no single device", () => {
    const half = trace(
      (metric, rank, step, healthy) => (metric === "loss" && rank % 3 === 0 && step >= 200 ? healthy * 1.3 : healthy),
      320,
      48,
    );
    const findings = rankFindings(rankDeviation, half, { placements: [], notes: true });
    expect(findings.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(findings.find(({ subject }) => subject.kind === "run")?.facts).toEqual([
      { fact: "all-ranks-move", value: expect.closeTo(1 / 3, 2) },
    ]);
  });

  it("is over when the rank is back, and pages at once when the same rank deviates again within a week", () => {
    const twice = trace(
      (metric, rank, step, healthy) =>
        metric === "grad_norm" && rank === 6 && (within(step, 150, 157) || within(step, 300, 308)) ? 2 * FIVE * healthy : healthy,
      400,
    );
    const findings = rankFindings(rankDeviation, twice);
    expect(findings.map(({ state, severity }) => [state, severity])).toEqual([
      ["recovered", "warning"],
      ["recovered", "critical"],
    ]);
    expect(findings[1]?.evidence.some(({ text }) => /deviated before, at step 15\d/.test(text))).toBe(true);
    const longAgo = rankFindings(rankDeviation, twice, { parameters: { "rank-deviation": { again: 0.001 } } });
    expect(longAgo.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
  });

  it("without a layout says so as evidence against; with one names the peers", () => {
    const fault = trace((metric, rank, step, healthy) => (metric === "grad_norm" && rank === 6 && step >= 200 ? FIVE * healthy : healthy));
    const against = (placements: typeof PLACEMENTS) =>
      rankFindings(rankDeviation, fault, { placements })[0]
        ?.evidence.filter(({ weight }) => weight === "against")
        .map(({ text }) => text);
    expect(against([])).toContainEqual(expect.stringMatching(/^No layout is known/));
    expect(against(PLACEMENTS)).not.toContainEqual(expect.stringMatching(/^No layout is known/));
  });

  it("tells of the tensor ranks of a replica that share its loss: any of them may be at fault", () => {
    const placements = Array.from({ length: 32 }, (_, rank) => ({
      rank,
      dp: rank >> 1,
      tp: rank & 1,
      pp: 0,
      ep: null,
      gpuId: null,
      nodeId: null,
      host: null,
    }));
    const fault = trace(
      (metric, rank, step, healthy) => (metric === "loss" && rank >> 1 === 5 && step >= 200 ? healthy * 1.15 : healthy),
      320,
      32,
    );
    const findings = rankFindings(rankDeviation, fault, { placements });
    expect(findings.map(({ subject }) => subject.id)).toEqual(["10", "11"]);
    expect(findings.flatMap(({ evidence }) => evidence.map(({ text }) => text))).toContainEqual(
      expect.stringMatching(/^Of the same replica, rank 1[01] deviates as well/),
    );
  });

  it("judges a loss below zero as it stands", () => {
    const below = trace((metric, rank, step, healthy) =>
      metric === "loss" ? 0.05 * (healthy - 2) + (rank === 3 && step >= 200 ? 0.2 : 0) : healthy,
    );
    expect(rankFindings(rankDeviation, below)).toMatchObject([{ metric: "loss", subject: { id: "3" } }]);
  });

  it("sees a gradient that is exactly zero on one rank", () => {
    expect(
      rankFindings(
        rankDeviation,
        trace((metric, rank, step, healthy) => (metric === "grad_norm" && rank === 1 && step >= 200 ? 0 : healthy)),
      ),
    ).toMatchObject([{ subject: { id: "1" }, peakValue: 0 }]);
  });

  it("is not blinded by ranks that are not finite", () => {
    const noisy = trace(
      (metric, rank, step, healthy) => {
        if (metric === "grad_norm" && rank < 3) return Number.NaN;
        return metric === "grad_norm" && rank === 6 && step >= 200 ? FIVE * healthy : healthy;
      },
      320,
      24,
    );
    expect(rankFindings(rankDeviation, noisy, { placements: [] })).toMatchObject([{ subject: { id: "6" } }]);
  });

  it("honours its parameters", () => {
    const fault = trace(
      (metric, rank, step, healthy) => (metric === "grad_norm" && rank === 6 && step >= 200 ? FIVE * healthy : healthy),
      230,
    );
    const under = (parameters: Record<string, number>) =>
      rankFindings(rankDeviation, fault, { parameters: { "rank-deviation": parameters } });
    expect(under({})).toMatchObject([{ severity: "critical" }]);
    expect(under({ fast_page: 80, slow_page: 120 })).toMatchObject([{ severity: "warning" }]);
    expect(under({ fast_h: 100, slow_h: 120 })).toEqual([]);
    expect(under({ fast_h: 5 })[0]?.detectedStep).toBeLessThan(204);
    expect(under({ fast_k: 3.9, slow_k: 3.9 })).toEqual([]);
    expect(under({ warm_up: 215 })).toMatchObject([]);
    expect(under({ scale_floor: 5 })).toEqual([]);
    expect(under({ clip: 2 })[0]?.detectedStep).toBeGreaterThan(214);
  });
});

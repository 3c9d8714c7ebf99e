import type { RankPlacement } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { rankFindings, rankTrace } from "../../testing/rank-traces.fixture.ts";
import type { RankStep } from "../contract.ts";
import { computeStraggler } from "./compute-straggler.ts";

type Value = (metric: string, rank: number, step: number, healthy: number) => number | undefined;
const trace = (value: Value, steps = 200, ranks = 16) => rankTrace({ steps, ranks, seed: 51, value });
const slow =
  (isSlow: (rank: number, step: number) => boolean, factor = 1.15): Value =>
  (metric, rank, step, healthy) =>
    metric === "compute_time" && isSlow(rank, step) ? factor * healthy : healthy;
const only = (steps: readonly RankStep[], ...metrics: readonly string[]) => steps.filter(({ metric }) => metrics.includes(metric));
const texts = (findings: ReturnType<typeof rankFindings>, weight: string) =>
  findings.flatMap(({ evidence }) => evidence.filter((one) => one.weight === weight).map(({ text }) => text));

describe("compute-straggler", () => {
  it("names a rank that is 15 % slower within ten steps, with its GPU and node", () => {
    const [finding, ...others] = rankFindings(computeStraggler, trace(slow((rank, step) => rank === 6 && step >= 100)));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: "warning",
      subject: { kind: "rank", id: "6" },
      place: { gpuId: "GPU-6", nodeId: "node-1" },
      metric: "compute_time",
    });
    expect((finding?.detectedStep ?? 0) - 100).toBeLessThan(10);
    expect(Math.abs((finding?.onsetStep ?? 0) - 100)).toBeLessThanOrEqual(1);
    expect(finding?.onsetLowerStep).toBeLessThanOrEqual(100);
    expect(finding?.facts).toEqual([{ fact: "rank-compute-slow", value: expect.closeTo(1.15, 1) }]);
  });

  it("names the node where its ranks are slow together", () => {
    const placements = Array.from({ length: 32 }, (_, rank) => ({
      rank,
      dp: rank % 16,
      tp: 0,
      pp: rank >> 4,
      ep: null,
      gpuId: null,
      nodeId: `node-${rank >> 2}`,
      host: `n${rank >> 2}`,
    }));
    const node = trace(
      slow((rank, step) => rank >= 4 && rank < 8 && step >= 100),
      200,
      32,
    );
    expect(rankFindings(computeStraggler, node, { placements })).toMatchObject([
      {
        subject: { kind: "node", id: "node-1" },
        place: { nodeId: "node-1", host: "n1", rank: null },
        facts: [{ fact: "node-compute-slow" }],
      },
    ]);
  });

  it("says nothing where half of a cohort is slow: nobody knows which half", () => {
    expect(rankFindings(computeStraggler, trace(slow((rank, step) => rank >= 4 && rank < 8 && step >= 100)))).toEqual([]);
  });

  it("does not accuse a rank of sequences that are longer, when their load is logged", () => {
    const longer: Value = (metric, rank, step, healthy) => {
      if (rank !== 6 || step < 100) return healthy;
      return metric === "sequence_load" ? 1.3 * healthy : metric === "compute_time" ? 1.225 * healthy : healthy;
    };
    // Loads must have varied before for the line to be known.
    const varied = trace((metric, rank, step, healthy) => {
      const wide = 1 + 0.04 * Math.sin(7 * rank + 3 * step);
      const value = longer(metric, rank, step, healthy) ?? healthy;
      return metric === "sequence_load" ? value * wide : metric === "compute_time" ? (value * (1 + 3 * wide)) / 4 : value;
    });
    expect(rankFindings(computeStraggler, varied)).toEqual([]);
    expect(
      rankFindings(
        computeStraggler,
        varied.filter(({ metric }) => metric !== "sequence_load"),
      ),
    ).not.toEqual([]);
  });

  it("takes times that follow their replica for load where no load is logged, and still finds the slow rank", () => {
    const placements: RankPlacement[] = Array.from({ length: 128 }, (_, rank) => ({
      rank,
      dp: (rank >> 1) % 16,
      tp: rank & 1,
      pp: rank >> 5,
      ep: null,
      gpuId: null,
      nodeId: `node-${rank >> 3}`,
      host: null,
    }));
    const varied = (isSlow: boolean) =>
      rankTrace({
        steps: 200,
        ranks: 128,
        seed: 52,
        value: (metric, rank, step, healthy) =>
          metric === "compute_time"
            ? healthy * (1 + 0.4 * Math.sin(5 * ((rank >> 1) % 16) + 11 * step)) * (isSlow && rank === 77 && step >= 100 ? 1.15 : 1)
            : undefined,
      });
    expect(rankFindings(computeStraggler, varied(false), { placements })).toEqual([]);
    const [finding] = rankFindings(computeStraggler, varied(true), { placements });
    expect(finding).toMatchObject({ subject: { id: "77" } });
    expect((finding?.detectedStep ?? 0) - 100).toBeLessThan(10);
  });

  it("tells who waits for whom: the rank that comes last waits least", () => {
    const waits: Value = (metric, rank, step, healthy) => {
      const late = slow((one, at) => one === 6 && at >= 100)(metric, rank, step, healthy) ?? healthy;
      return metric === "communication_time" && rank !== 6 && step >= 100 ? healthy + 0.6 : late;
    };
    expect(texts(rankFindings(computeStraggler, trace(waits)), "for")).toContainEqual(
      expect.stringMatching(/^It waits in communication for 4\d % of its peers' time: they wait for it/),
    );
    const alike = rankFindings(computeStraggler, trace(slow((rank, step) => rank === 6 && step >= 100)));
    expect(texts(alike, "against")).toContainEqual(expect.stringMatching(/nobody seems to wait for it/));
  });

  it("says nothing of slowness below a tenth, of single pauses, nor of all ranks together", () => {
    expect(rankFindings(computeStraggler, trace(slow((rank, step) => rank === 6 && step >= 100, 1.05)), { notes: true })).toEqual([]);
    expect(rankFindings(computeStraggler, trace(slow((rank, step) => rank === 6 && step % 20 === 0, 30)), { notes: true })).toEqual([]);
    expect(rankFindings(computeStraggler, trace(slow((_rank, step) => step >= 100, 2)), { notes: true })).toEqual([]);
  });

  it("tells of a rank that was slow from the start, or grew slow by and by", () => {
    const [finding] = rankFindings(computeStraggler, trace(slow((rank) => rank === 6, 1.2)));
    expect(finding).toMatchObject({ subject: { id: "6" }, onsetLowerStep: 0, shape: "ramp" });
    expect(finding?.summary).toMatch(/for as long as it is known/);
  });

  it("makes one note where many turn slow at once", () => {
    const many = trace(
      slow((rank, step) => rank % 3 === 0 && step >= 100),
      320,
      48,
    );
    const findings = rankFindings(computeStraggler, many, { placements: [], notes: true });
    expect(findings.map(({ severity, subject }) => [severity, subject.kind])).toEqual([["info", "run"]]);
  });

  it("is over when the rank keeps up again", () => {
    expect(rankFindings(computeStraggler, trace(slow((rank, step) => rank === 6 && step >= 100 && step < 130)))).toMatchObject([
      { state: "recovered", endStep: expect.any(Number) },
    ]);
  });

  it("judges forward and backward time together, or the step where nobody tells the compute", () => {
    const passes = trace(slow((rank, step) => rank === 6 && step >= 100)).flatMap((row) =>
      row.metric === "compute_time"
        ? [
            { ...row, metric: "forward_time", values: row.values.map((value) => value / 3) },
            { ...row, metric: "backward_time", values: row.values.map((value) => (2 * value) / 3) },
          ]
        : [row],
    );
    expect(rankFindings(computeStraggler, passes)).toMatchObject([{ subject: { id: "6" }, metric: "compute_time" }]);
    const steps = only(
      trace((metric, rank, step, healthy) => (metric === "step_time" && rank === 6 && step >= 100 ? 1.2 * healthy : healthy)),
      "step_time",
    );
    expect(rankFindings(computeStraggler, steps)).toMatchObject([{ subject: { id: "6" }, metric: "step_time" }]);
  });

  it("honours its parameters", () => {
    const fault = trace(slow((rank, step) => rank >= 4 && rank < 7 && step >= 100));
    const under = (parameters: Record<string, number>) =>
      rankFindings(computeStraggler, fault, { parameters: { "compute-straggler": parameters } });
    expect(under({})).toMatchObject([{ subject: { kind: "node" } }]);
    expect(under({ node_share: 0.9 }).map(({ subject }) => subject.kind)).toEqual(["rank", "rank", "rank"]);
    expect(under({ material: 0.3 })).toEqual([]);
    expect(under({ h: 300 })).toEqual([]);
    expect(under({ k: 3.9 })).toEqual([]);
    expect(under({ scale_floor: 1 })).toEqual([]);
    expect(under({ warm_up: 195 })).toEqual([]);
    expect(under({ clip: 2 })[0]?.detectedStep).toBeGreaterThan(115);
  });
});

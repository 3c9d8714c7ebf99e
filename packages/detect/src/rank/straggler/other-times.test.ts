import type { RankPlacement } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { PLACEMENTS, rankFindings, rankTrace } from "../../testing/rank-traces.fixture.ts";
import { computeStraggler } from "./compute-straggler.ts";
import { dataWait } from "./data-wait.ts";
import { sequenceImbalance } from "./sequence-imbalance.ts";
import { stageSlow } from "./stage-slow.ts";
import { transferSlow } from "./transfer-slow.ts";

type Value = (metric: string, rank: number, step: number, healthy: number) => number | undefined;
const trace = (value: Value, steps = 200, ranks = 16) => rankTrace({ steps, ranks, seed: 61, value });
const times =
  (metric: string, factor: number, isIt: (rank: number, step: number) => boolean): Value =>
  (name, rank, step, healthy) =>
    name === metric && isIt(rank, step) ? factor * healthy : healthy;

describe("stage-slow", () => {
  const lastSlow = (from: number, factor = 1.2) => trace(times("compute_time", factor, (rank, step) => rank >= 8 && step >= from));

  it("names the last stage within ten steps", () => {
    const [finding, ...others] = rankFindings(stageSlow, lastSlow(100));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      subject: { kind: "stage", id: "1" },
      severity: "warning",
      onsetStep: 100,
      facts: [{ fact: "last-stage-slow", value: expect.closeTo(1.2, 1) }],
    });
    expect((finding?.detectedStep ?? 0) - 100).toBeLessThan(10);
  });

  it("tells a stage that is slow from the first steps from one that became so", () => {
    expect(rankFindings(stageSlow, lastSlow(0))[0]?.summary).toMatch(/from the first steps on/);
  });

  it("does not call another stage the last", () => {
    expect(rankFindings(stageSlow, trace(times("compute_time", 1.2, (rank, step) => rank < 8 && step >= 100)))).toMatchObject([
      { subject: { id: "0" }, facts: [] },
    ]);
  });

  it("says nothing below a tenth, and nothing without stages", () => {
    expect(rankFindings(stageSlow, lastSlow(100, 1.06))).toEqual([]);
    expect(rankFindings(stageSlow, lastSlow(100), { placements: [] })).toEqual([]);
  });

  it("is over when the stages are alike again", () => {
    const for40 = trace(times("compute_time", 1.2, (rank, step) => rank >= 8 && step >= 100 && step < 140));
    expect(rankFindings(stageSlow, for40)).toMatchObject([{ state: "recovered", endStep: 139 }]);
  });

  it("honours its parameters", () => {
    const under = (parameters: Record<string, number>) =>
      rankFindings(stageSlow, lastSlow(100), { parameters: { "stage-slow": parameters } });
    expect(under({ ratio: 1.3 })).toEqual([]);
    expect(under({ deviations: 200 })).toEqual([]);
    expect(under({ in_a_row: 2 })[0]?.detectedStep).toBe(101);
    expect(under({ in_a_row: 60, of: 30 })[0]?.detectedStep).toBeGreaterThan(110);
    const back = trace(times("compute_time", 1.2, (rank, step) => rank >= 8 && step >= 100 && step < 140));
    expect(rankFindings(stageSlow, back, { parameters: { "stage-slow": { back: 1.15 } } })[0]?.state).toBe("recovered");
  });
});

describe("transfer-slow", () => {
  it("tells a slow transfer of all groups from ranks that wait", () => {
    const network = rankFindings(transferSlow, trace(times("communication_time", 1.5, (_rank, step) => step >= 100)));
    expect(network).toMatchObject([
      { subject: { kind: "run" }, severity: "warning", onsetStep: 100, facts: [{ fact: "transfer-slow", value: expect.closeTo(1.5, 0) }] },
    ]);
    // One rank of each stage comes late: it waits no longer than before, the others do.
    expect(rankFindings(transferSlow, trace(times("communication_time", 3, (rank, step) => rank % 8 !== 2 && step >= 100)))).toEqual([]);
  });

  it("names the group whose transfer is slower than that of the others", () => {
    const placements: RankPlacement[] = Array.from({ length: 64 }, (_, rank) => ({
      rank,
      dp: rank >> 4,
      tp: rank & 15,
      pp: 0,
      ep: null,
      gpuId: null,
      nodeId: `node-${rank & 15}`,
      host: null,
    }));
    const group = trace(
      times("communication_time", 1.4, (rank, step) => (rank & 15) === 5 && step >= 100),
      200,
      64,
    );
    expect(rankFindings(transferSlow, group, { placements })).toMatchObject([
      { subject: { kind: "node", id: "node-5" }, facts: [{ fact: "transfer-slow" }] },
    ]);
    const across = placements.map((placement) => ({ ...placement, nodeId: `node-${placement.rank >> 3}` }));
    const [finding] = rankFindings(transferSlow, group, { placements: across });
    expect(finding).toMatchObject({ subject: { kind: "run" } });
    expect(finding?.summary).toMatch(/^Transfers among ranks 5, 21, 37 and 53 take/);
  });

  it("says nothing where too few of a group report", () => {
    const few = trace((metric, rank, step, healthy) =>
      metric === "communication_time" && rank % 8 > 2 ? undefined : step >= 100 ? 2 * healthy : healthy,
    );
    expect(rankFindings(transferSlow, few)).toEqual([]);
    expect(rankFindings(transferSlow, few, { parameters: { "transfer-slow": { reporting: 0.2 } } })).toHaveLength(1);
  });
});

describe("data-wait", () => {
  it("names the rank that waits for a tenth of the step longer than its peers", () => {
    const late = trace((metric, rank, step, healthy) => (metric === "data_time" && rank === 5 && step >= 100 ? healthy + 0.8 : healthy));
    const [finding, ...others] = rankFindings(dataWait, late);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      subject: { kind: "rank", id: "5" },
      place: { gpuId: "GPU-5" },
      facts: [{ fact: "data-wait", value: expect.closeTo(0.17, 1) }],
    });
    expect((finding?.detectedStep ?? 0) - 100).toBeLessThan(10);
  });

  it("takes many times nothing for nothing", () => {
    expect(rankFindings(dataWait, trace(times("data_time", 10, (rank, step) => rank === 5 && step >= 100)), { notes: true })).toEqual([]);
  });

  it("names the run where all wait", () => {
    const all = trace((metric, _rank, step, healthy) => (metric === "data_time" && step >= 100 ? healthy + 1 : healthy));
    expect(rankFindings(dataWait, all)).toMatchObject([
      { subject: { kind: "run" }, onsetStep: 100, facts: [{ fact: "data-wait", value: expect.closeTo(0.22, 1) }] },
    ]);
  });

  it("honours its parameters", () => {
    const late = trace((metric, rank, step, healthy) => (metric === "data_time" && rank === 5 && step >= 100 ? healthy + 0.8 : healthy));
    expect(rankFindings(dataWait, late, { parameters: { "data-wait": { material: 0.3 } } })).toEqual([]);
    const all = trace((metric, _rank, step, healthy) => (metric === "data_time" && step >= 100 ? healthy + 1 : healthy));
    expect(rankFindings(dataWait, all, { parameters: { "data-wait": { ratio: 1.5 } } })).toEqual([]);
  });
});

describe("sequence-imbalance", () => {
  /** Another replica has the long sequences at each step. */
  const long: Value = (metric, rank, step, healthy) => {
    if (step < 100 || rank % 8 !== step % 8) return healthy;
    return metric === "sequence_load" ? 2 * healthy : metric === "compute_time" ? 1.75 * healthy : healthy;
  };

  it("makes a note of steps that wait for the longest sequences, with the correlation as a fact", () => {
    const findings = rankFindings(sequenceImbalance, trace(long), { notes: true });
    expect(findings).toMatchObject([
      {
        severity: "info",
        subject: { kind: "run" },
        onsetStep: 100,
        facts: [{ fact: "sequence-load-correlates", value: expect.closeTo(0.97, 1) }],
      },
    ]);
  });

  it("tells anew of lengths that have become far more uneven than when they were told of, since the step in which they did", () => {
    const growing: Value = (metric, rank, step, healthy) => {
      if (rank % 8 !== step % 8) return healthy;
      const size = step < 120 ? 1.3 : 2.5;
      return metric === "sequence_load" ? size * healthy : metric === "compute_time" ? (0.25 + 0.75 * size) * healthy : healthy;
    };
    const findings = rankFindings(sequenceImbalance, trace(growing), { notes: true });
    expect(findings.map(({ state }) => state)).toEqual(["recovered", "ongoing"]);
    expect(findings[0]?.onsetStep).toBeLessThan(20);
    expect(findings[1]?.onsetStep).toBe(120);
  });

  it("takes forward and backward times that go together for sequence lengths where no load is logged", () => {
    const passes = trace(long).flatMap((row) =>
      row.metric === "compute_time"
        ? [
            { ...row, metric: "forward_time", values: row.values.map((value) => value / 3) },
            { ...row, metric: "backward_time", values: row.values.map((value) => (2 * value) / 3) },
          ]
        : row.metric === "sequence_load"
          ? []
          : [row],
    );
    const [finding] = rankFindings(sequenceImbalance, passes, { notes: true });
    expect(finding?.evidence[0]?.text).toMatch(/of forward with backward time over ranks/);
  });

  it("does not explain slowness by sequences that are alike", () => {
    const slowRank = trace(times("compute_time", 1.5, (rank, step) => rank === 3 && step >= 100));
    expect(rankFindings(sequenceImbalance, slowRank, { notes: true })).toEqual([]);
  });

  it("honours its parameters", () => {
    const under = (parameters: Record<string, number>) =>
      rankFindings(sequenceImbalance, trace(long), {
        notes: true,
        placements: PLACEMENTS,
        parameters: { "sequence-imbalance": parameters },
      });
    expect(under({ ratio: 2 })).toEqual([]);
    expect(under({ correlation: 0.999 })).toEqual([]);
    expect(under({ of: 40 })[0]?.detectedStep).toBeGreaterThan(110);
  });
});

describe("what is slow when the layout changes", () => {
  const placements = (groups: number) => Array.from({ length: 32 }, (_, rank) => placementOf(rank, rank % groups));
  const placementOf = (rank: number, pp: number) => ({
    rank,
    dp: rank,
    tp: 0,
    pp,
    ep: null,
    gpuId: null,
    nodeId: `node-${rank >> 2}`,
    host: null,
  });
  const wide = rankTrace({
    steps: 240,
    ranks: 32,
    seed: 55,
    value(metric, rank, step, healthy) {
      if (metric === "compute_time" && rank === 6 && step >= 100) return 1.3 * healthy;
      if (metric === "communication_time" && rank % 16 === 5 && step >= 100) return 2 * healthy;
      return metric === "data_time" && rank === 9 && step >= 100 ? healthy + 0.8 : healthy;
    },
  });

  it.each([
    [computeStraggler, 2],
    [dataWait, 2],
    [transferSlow, 16],
  ])("is told as not followed any further, under its own id ($id)", (entry, groups) => {
    const watch = entry.create({ run: "lab/run", attempt: "a", placements: placements(groups) });
    const told = wide.flatMap((step) => {
      if (step.step === 200 && step.metric === "loss") watch.place(placements(1));
      return watch.observe(step);
    });
    const own = told.filter(({ id, severity, detectedStep }) => id === told[0]?.id && severity !== "info" && (detectedStep ?? 0) < 200);
    expect(own[0]?.state).toBe("ongoing");
    expect(own.at(-1)?.state).toBe("shifted");
    expect(Math.abs((own.at(-1)?.endStep ?? 0) - 199)).toBeLessThanOrEqual(1);
    expect(own.at(-1)?.evidence.some(({ text }) => text.endsWith("whether it goes on is not known"))).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { cluster, column, eventsOf, stepsOf, STEPS } from "./cluster.fixture.ts";
import type { ClusterStep, RankMetric } from "./cluster-event.ts";

const robustSigma = (values: readonly number[]): number => {
  const middle = median(values);
  return 1.4826 * median(values.map((value) => Math.abs(value - middle)));
};
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Residuals of one rank's logarithm from its step's median over all ranks. */
function residuals(steps: readonly ClusterStep[], metric: RankMetric, rank: number): readonly number[] {
  return steps.map((step) => {
    const logs = Array.from(column(step, metric), Math.log);
    return (logs[rank] ?? Number.NaN) - median(logs);
  });
}

describe("simulateCluster", () => {
  it("gives the same run for the same seed, however often and as far as it is read, and another for another", () => {
    const first = [...cluster().events()];
    expect([...cluster().events()]).toEqual(first);
    const again = cluster().events();
    expect(Array.from({ length: 10 }, () => again.next().value)).toEqual(first.slice(0, 10));
    expect([...cluster([], { seed: 6 }).events()]).not.toEqual(first);
  });

  it("ends each step when its slowest rank is done, and tells the wait of the others as communication", () => {
    for (const step of stepsOf(cluster())) {
      const compute = column(step, "compute_time");
      const ended = compute.map(
        (seconds, rank) => seconds + (column(step, "data_time")[rank] ?? 0) + (column(step, "communication_time")[rank] ?? 0),
      );
      expect(Math.max(...ended) - Math.min(...ended)).toBeLessThan(1e-9);
      expect(step.values.step_time).toBeGreaterThan(Math.max(...ended));
      const slowest = compute
        .map((seconds, rank) => seconds + (column(step, "data_time")[rank] ?? 0))
        .reduce((most, one) => Math.max(most, one));
      expect(step.values.step_time).toBeLessThan(slowest + 0.25 * 4);
      expect(step.values.tokens_per_second * step.values.step_time).toBeCloseTo(cluster().plan.run.tokensPerStep, 3);
    }
  });

  it("takes about the planned time a step, on one clock with its checkpoints, its end and its nodes' load", () => {
    const simulated = cluster();
    const steps = stepsOf(simulated);
    expect(median(steps.map(({ values }) => values.step_time))).toBeGreaterThan(3.7);
    expect(median(steps.map(({ values }) => values.step_time))).toBeLessThan(4.3);
    const last = steps.at(-1);
    expect(eventsOf(simulated, "end")).toEqual([expect.objectContaining({ step: STEPS, outcome: "finished", timeMs: last?.timeMs })]);
    for (const { step, startedMs } of eventsOf(simulated, "checkpoint"))
      expect(startedMs).toBe(steps.find((one) => one.step === step)?.timeMs);
    const node = simulated.fleet.nodes[3];
    const busy = (timeMs: number): number => {
      const scrape = node?.scrape("dcgm", timeMs);
      return scrape?.values[scrape.series.findIndex(([name]) => name === "DCGM_FI_DEV_GPU_UTIL")] ?? Number.NaN;
    };
    expect(busy((steps[60]?.timeMs ?? 0) + 1)).toBeGreaterThan(90);
    expect(busy((last?.timeMs ?? 0) + 5_000)).toBe(0);
  });

  it("means the loss of the run over its ranks, and dilutes one rank's gradient by all others", () => {
    for (const step of stepsOf(cluster())) {
      const losses = column(step, "loss");
      expect(step.values.loss).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / losses.length, 9);
    }
    const quiet = { noise: { outlierEvery: 0 } };
    const [healthy, sick] = [
      stepsOf(cluster([], quiet)),
      stepsOf(cluster([{ kind: "silent-error", step: 60, rank: 9, sigma: 22 }], quiet)),
    ];
    const ratio = (sick[80]?.values.grad_norm ?? 0) / (healthy[80]?.values.grad_norm ?? 1);
    // e^(22 · 0.11) = 11.2 times its own norm, among 64: about √(1 + 125/64).
    expect(ratio).toBeGreaterThan(1.3);
    expect(ratio).toBeLessThan(2.4);
  });

  it("has standing offsets, heavy tails and outliers of the data that a whole replica sees", () => {
    const steps = stepsOf(cluster([], { run: { steps: 1_500, stepTimeS: 4 } }));
    const own = [0, 9, 33].map((rank) => residuals(steps, "loss", rank));
    const offsets = own.map(median);
    for (const [index, values] of own.entries()) {
      expect(robustSigma(values)).toBeGreaterThan(0.8 * 0.028);
      expect(robustSigma(values)).toBeLessThan(1.35 * 0.028);
      // A Gaussian has 6e-7 beyond 5; a t4 some in a thousand.
      const beyond = values.filter((value) => Math.abs(value - (offsets[index] ?? 0)) > 5 * 0.028).length / values.length;
      expect(beyond).toBeGreaterThan(0.001);
      expect(beyond).toBeLessThan(0.03);
    }
    const all = Array.from({ length: 64 }, (_, rank) => median(residuals(steps.slice(0, 300), "loss", rank)));
    expect(robustSigma(all)).toBeGreaterThan(0.6 * 0.028);
    expect(robustSigma(all)).toBeLessThan(1.5 * 0.028);
    // They stand: both halves of the run have the same.
    for (const values of own) expect(Math.abs(median(values.slice(0, 750)) - median(values.slice(750)))).toBeLessThan(0.3 * 0.028);
    const outliers = steps.filter((step) => replicaMean(step, 0) > 7 * 0.028).length;
    expect(outliers).toBeGreaterThanOrEqual(1);
    expect(outliers).toBeLessThan(12);
  });

  it("lets compute follow the sequence load of its replica, which all of its ranks share", () => {
    const step = stepsOf(cluster([], { sequenceSpread: 0.5 }))[50];
    if (step === undefined) throw new Error("the run is too short");
    const load = column(step, "sequence_load");
    const compute = column(step, "compute_time");
    expect(new Set(load).size).toBe(4);
    // Ranks 0 to 7 are replica 0 of stage 0, ranks 32 to 39 the same of stage 1.
    expect(load.slice(0, 8)).toEqual(load.slice(32, 40));
    const heavy = load.indexOf(Math.max(...load));
    const light = load.indexOf(Math.min(...load));
    expect(compute[heavy]).toBeGreaterThan(1.05 * (compute[light] ?? 0));
  });

  it("hashes parameters each so many steps, equal among replicas and different between parts of the model", () => {
    const steps = stepsOf(cluster());
    expect(steps.filter(({ ranks }) => ranks.columns.has("param_hash")).map(({ step }) => step)).toEqual(
      Array.from({ length: 12 }, (_, index) => 10 * (index + 1)),
    );
    const step = steps[9];
    if (step === undefined) throw new Error("the run is too short");
    const hashes = column(step, "param_hash");
    for (const hash of hashes) expect(Number.isSafeInteger(hash)).toBe(true);
    expect(new Set(hashes).size).toBe(16);
    for (const rank of [0, 8, 16, 24]) expect(hashes[rank]).toBe(hashes[0]);
    expect(column(steps[19] ?? step, "param_hash")[0]).not.toBe(hashes[0]);
  });

  it("reads the same batch with the same data again: its number, lengths and noise", () => {
    const passes = stepsOf(cluster([], { batchesPerEpoch: 50, noise: { outlierEvery: 0 } }));
    const [first] = passes;
    const second = passes.find(({ step, values }) => step > 50 && values.batch_id === first?.values.batch_id);
    if (first === undefined || second === undefined) throw new Error("no batch came twice");
    expect(column(second, "sequence_load")).toEqual(column(first, "sequence_load"));
    expect(new Set(passes.slice(0, 50).map(({ values }) => values.batch_id)).size).toBe(50);
  });

  it("leaves out what got lost on its way, and rounds where a grid is given", () => {
    const steps = stepsOf(cluster([], { missing: 0.1, lossGrid: 1 / 64 }));
    const lost = steps.reduce((sum, { ranks }) => sum + (ranks.silent?.reduce((count, silent) => count + silent, 0) ?? 0), 0);
    expect(lost / (64 * STEPS)).toBeGreaterThan(0.08);
    expect(lost / (64 * STEPS)).toBeLessThan(0.12);
    for (const step of steps) for (const loss of column(step, "loss")) expect(loss * 64).toBe(Math.round(loss * 64));
  });

  it("names each rank's GPU, node and place in the layout", () => {
    const assignments = cluster().assignments(0);
    expect(assignments).toHaveLength(64);
    expect(assignments[41]).toMatchObject({ rank: 41, tp: 1, dp: 1, pp: 1, ep: 1, gpuIndex: 1 });
    expect(new Set(assignments.map(({ gpuUuid }) => gpuUuid)).size).toBe(64);
  });

  it("makes at least 50 steps a second of 1,024 ranks", () => {
    const simulated = cluster([], { nodes: 128, layout: { tp: 8, pp: 4 }, run: { steps: 60, stepTimeS: 4 } });
    const before = process.cpuUsage();
    expect(stepsOf(simulated)).toHaveLength(60);
    const { user, system } = process.cpuUsage(before);
    expect(60 / ((user + system) / 1e6)).toBeGreaterThan(50);
  });
});

function replicaMean(step: ClusterStep, replica: number): number {
  const logs = Array.from(column(step, "loss"), Math.log);
  const middle = median(logs);
  const own = logs.filter((_, rank) => Math.floor((rank % 32) / 8) === replica);
  return own.reduce((sum, value) => sum + value - middle, 0) / own.length;
}

import { describe, expect, it } from "vitest";
import { cluster, column, differences, eventsOf, stepsOf } from "./cluster.fixture.ts";
import type { ClusterFault, FaultSite } from "./cluster-fault.ts";
import type { ClusterStep } from "./cluster-event.ts";
import { CLUSTER_FAULT_KINDS } from "./fault-kinds.ts";
import type { FaultPlace } from "./fault-kinds.ts";
import { readClusterFaults } from "./read-faults.ts";
import type { SimulatedCluster } from "./simulate-cluster.ts";

const HEALTHY = stepsOf(cluster());
const TIMES = ["communication_time"];

/** What a fault changes at a step, against the same run without it. */
function changesAt(sick: SimulatedCluster, step: number): ReturnType<typeof differences> {
  const [one, other] = [stepsOf(sick).find((each) => each.step === step), HEALTHY.find((each) => each.step === step)];
  if (one === undefined || other === undefined) throw new Error(`there is no step ${step}`);
  return differences(one, other);
}

const stepAt = (steps: readonly ClusterStep[], step: number): ClusterStep => {
  const found = steps.find((one) => one.step === step);
  if (found === undefined) throw new Error(`there is no step ${step}`);
  return found;
};

describe("faults of a cluster", () => {
  it("corrupt the loss and gradient norm of one rank from their step on, and of no other", () => {
    const sick = cluster([{ kind: "silent-error", step: 60, rank: 13, sigma: 6, forSteps: 20 }]);
    expect(changesAt(sick, 59)).toEqual({});
    expect(changesAt(sick, 60)).toEqual({ loss: [13], grad_norm: [13] });
    expect(changesAt(sick, 79)).toEqual({ loss: [13], grad_norm: [13] });
    expect(changesAt(sick, 80)).toEqual({});
    const ratio = (column(stepAt(stepsOf(sick), 60), "loss")[13] ?? 0) / (column(stepAt(HEALTHY, 60), "loss")[13] ?? 1);
    expect(Math.log(ratio) / 0.028).toBeCloseTo(6, 9);
    expect(sick.truth[0]).toMatchObject({ cause: "hardware", attempt: "a1", onsetStep: 60, endStep: 79, ranks: [13] });
    expect(sick.truth[0]?.gpuIds).toEqual([sick.assignments(0)[13]?.gpuUuid]);
    expect(sick.truth[0]?.onsetMs).toBe(stepAt(stepsOf(sick), 59).timeMs);
  });

  it("strike the share of steps that they are said to, with fingerprints that disagree", () => {
    const steps = stepsOf(cluster([{ kind: "silent-error", step: 1, rank: 3, share: 0.3, gradOnly: 1, hash: 1, recompute: 1 }]));
    const struck = steps.filter((step) => Object.keys(differences(step, stepAt(HEALTHY, step.step))).includes("grad_norm"));
    expect(struck.length / steps.length).toBeGreaterThan(0.15);
    expect(struck.length / steps.length).toBeLessThan(0.45);
    for (const step of struck) {
      expect(differences(step, stepAt(HEALTHY, step.step))).not.toHaveProperty("loss");
      expect(column(step, "recompute_mismatches")[3]).toBeGreaterThan(0);
    }
    expect(differences(stepAt(steps, 50), stepAt(HEALTHY, 50))).toMatchObject({ param_hash: [3] });
  });

  it("slow one GPU: its compute alone grows, all others wait", () => {
    const sick = cluster([{ kind: "straggler", step: 60, node: 2, gpu: 4, factor: 1.5 }]);
    const changes = changesAt(sick, 60);
    expect(Object.keys(changes).sort()).toEqual(["backward_time", "communication_time", "compute_time", "forward_time"]);
    expect(changes.compute_time).toEqual([20]);
    expect(changes.communication_time?.length).toBe(64);
    const [now, before] = [stepAt(stepsOf(sick), 60), stepAt(HEALTHY, 60)];
    expect(now.values.step_time).toBeGreaterThan(1.2 * before.values.step_time);
    const waits = Array.from(column(now, "communication_time"));
    expect(waits.indexOf(Math.min(...waits))).toBe(20);
  });

  it.each<[ClusterFault, string, readonly number[]]>([
    [{ kind: "straggler", step: 60, node: 3, factor: 1.4 }, "compute_time", [24, 25, 26, 27, 28, 29, 30, 31]],
    [{ kind: "last-stage", step: 60, factor: 1.3 }, "compute_time", Array.from({ length: 32 }, (_, place) => 32 + place)],
    [{ kind: "data-slow", step: 60, node: 1, factor: 1.5 }, "data_time", [8, 9, 10, 11, 12, 13, 14, 15]],
    [{ kind: "data-slow", step: 60, factor: 1.5 }, "data_time", Array.from({ length: 64 }, (_, rank) => rank)],
    [{ kind: "replica-drift", step: 60, rank: 5 }, "param_hash", [5]],
    [{ kind: "expert-imbalance", step: 60 }, "expert_load_ratio", Array.from({ length: 64 }, (_, rank) => rank)],
  ])("%j shows in %s of its own ranks", (fault, metric, ranks) => {
    const changes = changesAt(cluster([fault]), 60);
    expect(Object.entries(changes).find(([name]) => name === metric)?.[1]).toEqual(ranks);
    for (const [name, struck] of Object.entries(changes))
      if (!TIMES.includes(name)) expect(struck.length).toBeLessThanOrEqual(ranks.length);
  });

  it("slow a link: no rank computes longer, the step does, and the link's traffic falls while its errors do not rise", () => {
    const sick = cluster([{ kind: "link-slow", step: 60, node: 4, gpu: 1, link: 7, left: 0.25 }]);
    expect(Object.keys(changesAt(sick, 60))).toEqual(TIMES);
    expect(stepAt(stepsOf(sick), 60).values.step_time).toBeGreaterThan(1.15 * stepAt(HEALTHY, 60).values.step_time);
    const scrape = sick.fleet.nodes[4]?.scrape("dcgm", stepAt(stepsOf(sick), 70).timeMs - 500);
    const of = (name: string): readonly number[] =>
      (scrape?.series ?? []).flatMap(([metric], index) => (metric === name ? [scrape?.values[index] ?? Number.NaN] : []));
    const sent = of("DCGM_FI_PROF_NVLINK_L7_TX_BYTES");
    expect((sent[1] ?? 0) / (sent[0] ?? 1)).toBeLessThan(0.3);
    expect(of("DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL")).toEqual(Array.from({ length: 8 }, () => 0));
    expect(sick.truth[0]).toMatchObject({ cause: "network", linkId: `${sick.truth[0]?.gpuIds[0] ?? ""}/link/7` });
  });

  it("hang the job: one rank never ends the step, the others do their part, heartbeats go on until it is killed", () => {
    const sick = cluster([{ kind: "hang", step: 60, rank: 7, killedAfterS: 100, downtimeS: 50 }]);
    const [stuck] = eventsOf(sick, "stuck-step");
    expect(stuck).toMatchObject({ step: 60, attempt: "a1" });
    expect([...(stuck?.ranks.silent ?? [])].flatMap((silent, rank) => (silent === 1 ? [rank] : []))).toEqual([7]);
    expect(eventsOf(sick, "heartbeat")).toHaveLength(9);
    expect(eventsOf(sick, "end").map(({ step, outcome }) => [step, outcome])).toEqual([
      [59, "crashed"],
      [120, "finished"],
    ]);
    expect(eventsOf(sick, "start")[1]).toMatchObject({ attempt: "a2", parent: "a1", branchStep: 50, reason: "restarted after a hang" });
    expect(stepsOf(sick).filter(({ attempt }) => attempt === "a2")[0]).toMatchObject({ step: 51 });
    expect(sick.truth[0]).toMatchObject({ onsetStep: 60, endAttempt: "a1", endStep: 60, ranks: [7] });
  });

  it("lose a node: its ranks and exporters are silent, and it has booted before the job goes on", () => {
    const sick = cluster([{ kind: "lost-node", step: 60, node: 5, killedAfterS: 120, downtimeS: 200 }]);
    const [stuck] = eventsOf(sick, "stuck-step");
    expect([...(stuck?.ranks.silent ?? [])].flatMap((silent, rank) => (silent === 1 ? [rank] : []))).toEqual([
      40, 41, 42, 43, 44, 45, 46, 47,
    ]);
    const [first, second] = eventsOf(sick, "start");
    const [node, peer] = [sick.fleet.nodes[5], sick.fleet.nodes[6]];
    const goneMs = (sick.truth[0]?.onsetMs ?? 0) + 1_000;
    expect(node?.scrape("dcgm", goneMs)).toBeNull();
    expect(node?.scrape("node", goneMs)).toBeNull();
    expect(peer?.scrape("dcgm", goneMs)).not.toBeNull();
    expect(node?.scrape("dcgm", (second?.timeMs ?? 0) + 1)).not.toBeNull();
    expect(node?.bootIdAt((second?.timeMs ?? 0) + 1)).not.toBe(node?.bootIdAt(first?.timeMs ?? 0));
  });

  it("go from a memory error to a lost GPU and its job's teardown, in the kernel's words", () => {
    const sick = cluster([{ kind: "ecc-chain", step: 60, rank: 17, remapFails: 1 }]);
    const fromMs = (sick.truth[0]?.onsetMs ?? 0) - 1;
    const codes = sick.fleet.nodes.map((node) =>
      node.kernelLog(fromMs, fromMs + 120_000).flatMap(({ text }) => /Xid \(PCI:[^)]*\): (\d+)/.exec(text)?.[1] ?? []),
    );
    expect(codes[2]?.slice(0, 3)).toEqual(["48", "64", "79"]);
    expect(codes.flat().filter((code) => code === "45")).toHaveLength(63);
    expect(eventsOf(sick, "start")).toHaveLength(2);
    expect(eventsOf(sick, "heartbeat")).toEqual([]);
  });

  it("let one rank be NaN first and all of them from the next step on, until the job goes back", () => {
    const sick = cluster([
      { kind: "nan", step: 60, rank: 30 },
      { kind: "restart", step: 70 },
    ]);
    const steps = stepsOf(sick);
    expect(Array.from(column(stepAt(steps, 60), "loss")).flatMap((loss, rank) => (Number.isNaN(loss) ? [rank] : []))).toEqual([30]);
    expect(stepAt(steps, 60).values.loss).toBeNaN();
    expect(column(stepAt(steps, 61), "loss").every(Number.isNaN)).toBe(true);
    const after = steps.filter(({ attempt }) => attempt === "a2");
    expect(after[0]?.step).toBe(51);
    for (const step of after) expect(step.values.loss).not.toBeNaN();
  });

  it("meet a bad batch on every pass over the data", () => {
    const plan = { batchesPerEpoch: 50 };
    const [sick, healthy] = [stepsOf(cluster([{ kind: "bad-batch", step: 20, factor: 2 }], plan)), stepsOf(cluster([], plan))];
    const off = sick.filter((step, index) => step.values.loss > 1.5 * (healthy[index]?.values.loss ?? 0));
    expect(off.length).toBeGreaterThanOrEqual(2);
    expect(off[0]?.step).toBe(20);
    expect(new Set(off.map(({ values }) => values.batch_id)).size).toBe(1);
  });

  it("set the learning rate wrong, or back to its warm-up after a restart, and the loss answers", () => {
    const run = { steps: 120, stepTimeS: 4, checkpointEvery: 25, warmupSteps: 10 };
    const [bug, healthy] = [stepsOf(cluster([{ kind: "lr-bug", step: 60, factor: 5 }], { run })), stepsOf(cluster([], { run }))];
    expect(stepAt(bug, 60).values.learning_rate).toBeCloseTo(5 * stepAt(healthy, 60).values.learning_rate, 12);
    expect(stepAt(bug, 110).values.loss - stepAt(healthy, 110).values.loss).toBeGreaterThan(0.05);
    const resumed = cluster([{ kind: "resume-learning-rate", step: 60 }], { run });
    const after = stepsOf(resumed).filter(({ attempt }) => attempt === "a2");
    expect(after[0]?.values.learning_rate).toBeCloseTo(3e-5, 12);
    expect(resumed.truth[0]).toMatchObject({ attempt: "a2", onsetStep: 51, cause: "software" });
  });

  it("read the data from the beginning after a restart", () => {
    const steps = stepsOf(cluster([{ kind: "resume-data-order", step: 60 }]));
    const after = steps.filter(({ attempt }) => attempt === "a2");
    expect(after.slice(0, 5).map(({ values }) => values.batch_id)).toEqual(HEALTHY.slice(0, 5).map(({ values }) => values.batch_id));
  });

  it("act in seconds as in steps, on the nodes and on the ranks at once", () => {
    const sick = cluster([{ kind: "thermal", seconds: 200, forSeconds: 120, node: 1, gpu: 2, factor: 1.4, celsius: 25 }]);
    const [truth] = sick.truth;
    const onset = truth?.onsetStep ?? 0;
    expect(stepAt(HEALTHY, onset - 1).timeMs - sick.plan.run.startTimeMs).toBeGreaterThanOrEqual(200_000);
    expect(stepAt(HEALTHY, onset - 2).timeMs - sick.plan.run.startTimeMs).toBeLessThan(200_000);
    expect(changesAt(sick, onset)).toMatchObject({ compute_time: [10] });
    expect(sick.fleet.truth).toEqual([
      expect.objectContaining({ kind: "hot-gpu", gpuUuid: truth?.gpuIds[0], atMs: expect.closeTo(truth?.onsetMs ?? 0, -1) }),
    ]);
  });

  it("leave the run as it is where only somebody who looks is blind", () => {
    const sick = cluster([
      { kind: "exporter-gap", step: 60, node: 2, forSteps: 10 },
      { kind: "clock-off", step: 60, node: 3 },
    ]);
    expect(changesAt(sick, 60)).toEqual({});
    expect(sick.fleet.nodes[2]?.scrape("dcgm", (sick.truth[0]?.onsetMs ?? 0) + 1_000)).toBeNull();
    const { clockMs } = stepAt(stepsOf(sick), 60).ranks;
    expect([clockMs[23], clockMs[24]].map((ms) => ((ms ?? 0) / 1000).toFixed(1).replace("-", ""))).toEqual(["0.0", "90.0"]);
  });

  it.each(CLUSTER_FAULT_KINDS.map(({ kind, place }) => [kind, place] as const))(
    "of kind %s change what the run, its ranks or its nodes show",
    (kind, place) => {
      const over = { nodes: 2, layout: { tp: 4, pp: 2, ep: 2 }, run: { steps: 40, stepTimeS: 4, checkpointEvery: 25 } };
      const sick = cluster(readClusterFaults(JSON.stringify({ kind, step: 20, ...SITES[place] })), over);
      const atMs = (sick.truth[0]?.onsetMs ?? Number.NaN) + 60_000;
      expect(shownBy(sick, atMs)).not.toBe(shownBy(cluster([], over), atMs));
    },
  );
});

const SITES: Readonly<Record<FaultPlace, FaultSite>> = {
  rank: { rank: 9 },
  node: { node: 1 },
  link: { rank: 9, link: 2 },
  port: { node: 1, port: 0 },
  some: { rank: 9 },
  run: {},
};

/** All that a cluster shows, as text. */
function shownBy(simulated: SimulatedCluster, atMs: number): string {
  const ranks = [...simulated.events()].map((event) =>
    "ranks" in event ? [event, [...event.ranks.columns].map(([metric, values]) => [metric, [...values]])] : event,
  );
  const nodes = simulated.fleet.nodes.map((node) => [node.text("dcgm", atMs), node.text("node", atMs)]);
  return JSON.stringify([ranks, nodes]);
}

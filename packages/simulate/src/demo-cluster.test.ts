import { pushSchema } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import type { ClusterEvent, ClusterStep } from "./cluster/cluster-event.ts";
import { clusterPushes } from "./cluster/cluster-pushes.ts";
import { demoLive, demoPast } from "./demo-cluster.ts";
import { gpuReading, nodeOf } from "./fleet/fleet.fixture.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const live = demoLive(1, NOW);
const { fleet, truth, plan } = live.simulated;

function seenUntil(timeMs: number): readonly ClusterEvent[] {
  const seen: ClusterEvent[] = [];
  for (const event of live.simulated.events()) {
    if (event.timeMs > timeMs) break;
    seen.push(event);
  }
  return seen;
}
const EVENTS = seenUntil(NOW + 11 * MINUTE);
const STEPS = EVENTS.filter((event): event is ClusterStep => event.kind === "step" && event.attempt === "a2");

describe("demoLive", () => {
  it("has as many GPUs as the live run says it runs on, each with one of its ranks", () => {
    const ranks = live.simulated.assignments(NOW);
    expect(ranks.map(({ rank }) => rank)).toEqual(Array.from({ length: live.metadata.gpus }, (_, rank) => rank));
    expect(new Set(ranks.map(({ gpuUuid }) => gpuUuid)).size).toBe(live.metadata.gpus);
    expect(new Set(ranks.map(({ dp, tp, pp }) => `${dp} ${tp} ${pp}`)).size).toBe(4 * 8 * 4);
    // A tensor group shares a node.
    expect(new Set(ranks.map(({ node, dp, pp }) => `${node} ${dp} ${pp}`)).size).toBe(16);
  });

  it("shows a spike that begins within 10 s of wall time and has not come back 20 s later; and the run goes on", () => {
    const backlogEnd = STEPS.find(({ step }) => step === live.backlogSteps)?.timeMs ?? 0;
    expect(Math.abs(backlogEnd - NOW)).toBeLessThan(10);
    const spike = plan.run.faults.find(({ kind }) => kind === "spike-shift");
    const onsetMs = STEPS.find(({ step }) => step === spike?.step)?.timeMs ?? 0;
    expect(onsetMs - NOW).toBeGreaterThan(5_000);
    expect(onsetMs - NOW).toBeLessThan(10_000);
    const worst = Math.max(
      ...STEPS.filter(({ step }) => step > live.backlogSteps - 200 && step < live.backlogSteps).map(({ values }) => values.loss),
    );
    const later = STEPS.filter(({ timeMs }) => timeMs >= onsetMs + 19_000 && timeMs <= onsetMs + 21_000);
    expect(later.length).toBeGreaterThan(4);
    for (const { values } of later) expect(values.loss).toBeGreaterThan(worst);
    expect(plan.run.steps - live.backlogSteps).toBeGreaterThan(100_000);
    const saved = EVENTS.filter((event) => event.kind === "checkpoint" && event.state !== "incomplete" && event.timeMs < onsetMs - 12_000);
    expect(saved.at(-1)).toMatchObject({
      attempt: "a2",
      step: live.backlogSteps - (live.backlogSteps % 250) - (live.backlogSteps % 250 === 0 ? 250 : 0),
    });
  });

  it("has lost a GPU with its job's teardown half an hour ago, and goes on from a checkpoint", () => {
    const starts = EVENTS.filter((event) => event.kind === "start");
    expect(starts.map(({ attempt, reason }) => `${attempt} ${reason}`)).toEqual([
      "a1 training starts",
      "a2 restarted after a GPU was lost",
    ]);
    const lostMs = truth[0]?.onsetMs ?? 0;
    expect(NOW - lostMs).toBeGreaterThan(20 * MINUTE);
    const codes = fleet.nodes.map((node) =>
      node.kernelLog(lostMs - 1, lostMs + MINUTE).flatMap(({ text }) => /Xid \(PCI:[^)]*\): (\d+)/.exec(text)?.[1] ?? []),
    );
    expect(codes[2]).toContain("79");
    expect(codes.flat().filter((code) => code === "45")).toHaveLength(127);
  });

  it("has one GPU that has been hot before the page opens, and throttles while the run's steps are slow", () => {
    const node = nodeOf(fleet, 10);
    const others = Array.from({ length: 8 }, (_, gpu) => gpuReading(node, "DCGM_FI_DEV_GPU_TEMP", gpu, NOW)).toSpliced(5, 1);
    expect(gpuReading(node, "DCGM_FI_DEV_GPU_TEMP", 5, NOW)).toBeGreaterThan(Math.max(...others) + 8);
    const hot = truth.filter(({ kind }) => kind === "thermal")[1];
    const slow = STEPS.filter(({ step }) => step >= (hot?.onsetStep ?? 0) && step <= (hot?.endStep ?? 0));
    expect(slow).toHaveLength(240);
    for (const { values, timeMs } of slow) {
      expect(values.step_time).toBeGreaterThan(1.2 * plan.run.stepTimeS);
      expect(gpuReading(node, "DCGM_FI_DEV_SM_CLOCK", 5, timeMs - 100)).toBeLessThan(1_600);
    }
  });

  it("has a GPU that calculates wrongly while the page opens, with what its ranks said before and since", () => {
    const wrong = truth.find(({ kind }) => kind === "silent-error");
    expect(wrong?.onsetStep).toBeGreaterThan(live.ranksFromStep + 300);
    expect(wrong?.onsetMs).toBeLessThan(NOW);
    expect(wrong?.endMs).toBeGreaterThan(NOW + MINUTE);
  });

  it("sends what its ranks say in one push where no hashes are due", () => {
    const steps = STEPS.filter(({ step }) => step > live.backlogSteps && step < live.backlogSteps + 8);
    const pushes = [...clusterPushes(steps, { project: "p", name: "n", source: "s", metrics: live.metrics, stepsAPush: 8 })];
    expect(pushes).toHaveLength(2);
    for (const push of pushes) expect(() => pushSchema.parse(push)).not.toThrow();
    expect(pushes[1]?.series).toHaveLength(1_024);
  });

  it("goes wrong in no more than it is said to", () => {
    expect(fleet.truth.map(({ kind, host }) => `${kind} ${host}`)).toEqual([
      "row-remap a04-n02",
      "default-fields a02-n04",
      "xid a01-n03",
      "link-slow a03-n01",
      "hot-gpu a03-n03",
      "link-errors a02-n02",
      "hot-gpu a03-n03",
      "link-slow a03-n01",
    ]);
    expect(truth.map(({ kind, ranks }) => `${kind} ${ranks.join()}`)).toEqual([
      "xid 23",
      "link-slow 67",
      "thermal 85",
      "link-errors 42",
      "silent-error 30",
      "straggler 49",
      "thermal 85",
      "link-slow 67",
    ]);
  });
});

describe("demoPast", () => {
  it("hung for a quarter of an hour with one rank behind, and went on from a checkpoint, on GPUs of the live run", () => {
    const past = demoPast(1, NOW);
    const events = [...past.simulated.events()];
    const stuck = events.find((event) => event.kind === "stuck-step");
    expect([...(stuck?.ranks.silent ?? [])].indexOf(1)).toBe(13);
    expect(events.filter(({ kind }) => kind === "heartbeat").length).toBeGreaterThan(80);
    expect(events.filter(({ kind }) => kind === "start")).toHaveLength(2);
    const uuids = live.simulated.assignments(NOW).map(({ gpuUuid }) => gpuUuid);
    expect(past.simulated.assignments(NOW).map(({ gpuUuid }) => gpuUuid)).toEqual(uuids.slice(0, 16));
  });
});

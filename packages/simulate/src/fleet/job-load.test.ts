import { describe, expect, it } from "vitest";
import type { Fault } from "../fault.ts";
import type { PlanInput } from "../plan.ts";
import { simulateRun } from "../simulate-run.ts";
import { START, fleet, gpuReading, nodeOf } from "./fleet.fixture.ts";
import { slowSteps } from "./slow-steps.ts";

const POWER = "DCGM_FI_DEV_POWER_USAGE";
const NVLINK = "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL";
const UTIL = "DCGM_FI_DEV_GPU_UTIL";
const TENSOR = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE";

function plan(faults: readonly Fault[] = []): PlanInput {
  return { seed: 5, steps: 1_000, stepTimeS: 4, checkpointEvery: 100, startTimeMs: START, faults };
}

/** When the run passes a step for the first time. */
function timeOf(input: PlanInput, step: number): number {
  for (const event of simulateRun(input)) if (event.kind === "point" && event.step >= step) return event.timeMs;
  throw new Error(`the run has no step ${step}`);
}

function at(input: PlanInput, timeMs: number, gpu = 0): Record<"power" | "nvlink" | "util" | "tensor" | "memory", number> {
  const node = nodeOf(fleet({ run: { plan: input, nodes: 2 } }), 1);
  return {
    power: gpuReading(node, POWER, gpu, timeMs),
    nvlink: gpuReading(node, NVLINK, gpu, timeMs),
    util: gpuReading(node, UTIL, gpu, timeMs),
    tensor: gpuReading(node, TENSOR, gpu, timeMs),
    memory: gpuReading(node, "DCGM_FI_DEV_FB_USED", gpu, timeMs),
  };
}

describe("what the GPUs of a run show", () => {
  it("is rest before it starts and after it has ended, and on nodes that it does not run on", () => {
    for (const timeMs of [START - 60_000, timeOf(plan(), 1_000) + 60_000])
      expect(at(plan(), timeMs)).toMatchObject({ nvlink: 0, util: 0, tensor: 0, memory: 4 });
    const other = nodeOf(fleet({ run: { plan: plan(), nodes: 2 } }), 2);
    expect(gpuReading(other, UTIL, 0, timeOf(plan(), 50))).toBe(0);
  });

  it("is work while it trains", () => {
    const busy = at(plan(), timeOf(plan(), 50));
    expect(busy.power).toBeGreaterThan(550);
    expect(busy.util).toBeGreaterThan(95);
    expect(busy.nvlink).toBeGreaterThan(500_000);
    expect(busy.memory).toBeGreaterThan(60_000);
  });

  it("falls while a checkpoint is saved, NVLink most", () => {
    const [training, saving] = [at(plan(), timeOf(plan(), 90)), at(plan(), timeOf(plan(), 100) + 5_000)];
    expect(saving.nvlink / training.nvlink).toBeLessThan(0.6);
    expect(saving.power).toBeLessThan(training.power - 50);
    expect(saving.util).toBeGreaterThan(90);
  });

  it("is a GPU that spins without traffic while it hangs, and nothing while it is down before the restart", () => {
    const restarted = plan([{ kind: "restart", step: 250, resumeFrom: 200, downtimeS: 600, hangS: 300, reason: "time-out" }]);
    const diedMs = timeOf(restarted, 250);
    const [training, hanging, down, back] = [
      at(restarted, diedMs - 60_000),
      at(restarted, diedMs + 150_000),
      at(restarted, diedMs + 600_000),
      at(restarted, diedMs + 960_000),
    ];
    expect(hanging).toMatchObject({ nvlink: 0 });
    expect(hanging.util).toBeGreaterThan(95);
    expect(hanging.power).toBeLessThan(training.power / 2);
    expect(down).toMatchObject({ nvlink: 0, util: 0, memory: 4 });
    expect(down.power).toBeLessThan(100);
    expect(back.util).toBeGreaterThan(95);
  });

  it("is less work while the steps are slow, and a hot GPU whose clocks fall is what makes them so", () => {
    const [atMs, untilMs] = [START + 1_000_000, START + 1_600_000];
    const hot = { kind: "hot-gpu", node: 0, gpu: 6, atMs, untilMs, celsius: 26, slowsStepBy: 1.35 } as const;
    const slow = slowSteps(hot, plan());
    expect(slow).toMatchObject({ kind: "slow", attempt: "a1", factor: 1.35, steps: 111 });
    const run = { plan: plan(slow === null ? [] : [slow]), nodes: 2 };
    const points = [...simulateRun(run.plan)].filter((event) => event.kind === "point");
    const during = points.filter(({ timeMs }) => timeMs > atMs + 10_000 && timeMs < untilMs - 10_000);
    expect(during.length).toBeGreaterThan(100);
    for (const { values } of during) expect(values.step_time).toBeGreaterThan(4 * 1.35 * 0.9);
    const simulated = fleet({ run, faults: [hot] });
    const [culprit, victim] = [nodeOf(simulated, 0), nodeOf(simulated, 1)];
    const midMs = (atMs + untilMs) / 2;
    expect(gpuReading(culprit, "DCGM_FI_DEV_SM_CLOCK", 6, midMs)).toBeLessThan(1_500);
    expect(gpuReading(victim, "DCGM_FI_DEV_SM_CLOCK", 6, midMs)).toBeGreaterThan(1_700);
    expect(gpuReading(culprit, "DCGM_FI_DEV_GPU_TEMP", 6, midMs)).toBeGreaterThan(
      gpuReading(culprit, "DCGM_FI_DEV_GPU_TEMP", 5, midMs) + 10,
    );
    expect(gpuReading(victim, POWER, 0, midMs)).toBeLessThan(gpuReading(victim, POWER, 0, atMs - 60_000) - 50);
    expect(gpuReading(victim, UTIL, 0, midMs)).toBeGreaterThan(95);
  });
});

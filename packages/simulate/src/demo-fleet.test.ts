import { describe, expect, it } from "vitest";
import { demoFleet } from "./demo-fleet.ts";
import { demoScenario } from "./demo-scenario.ts";
import type { PointEvent } from "./event.ts";
import { gpuReading, nodeOf } from "./fleet/fleet.fixture.ts";
import { simulateRun } from "./simulate-run.ts";

const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

describe("demoFleet", () => {
  const scenario = demoScenario(1, NOW);
  const fleet = demoFleet(scenario, 1, NOW);

  it("has as many GPUs as the live run says it runs on, each with one of its ranks", () => {
    const ranks = fleet.assignments(NOW);
    expect(ranks.map(({ rank }) => rank)).toEqual(Array.from({ length: scenario.live.metadata.gpus }, (_, rank) => rank));
    expect(new Set(ranks.map(({ gpuUuid }) => gpuUuid)).size).toBe(scenario.live.metadata.gpus);
    expect(new Set(ranks.map(({ dp, tp, pp }) => `${dp} ${tp} ${pp}`)).size).toBe(4 * 8 * 4);
    // A tensor group shares a node.
    expect(new Set(ranks.map(({ node, dp, pp }) => `${node} ${dp} ${pp}`)).size).toBe(16);
  });

  it("has one GPU that has been hot before the page opens, and throttles while the run's steps are slow", () => {
    const node = nodeOf(fleet, 10);
    const others = Array.from({ length: 8 }, (_, gpu) => gpuReading(node, "DCGM_FI_DEV_GPU_TEMP", gpu, NOW)).toSpliced(5, 1);
    expect(gpuReading(node, "DCGM_FI_DEV_GPU_TEMP", 5, NOW)).toBeGreaterThan(Math.max(...others) + 8);
    const points: PointEvent[] = [];
    for (const event of simulateRun(scenario.live.plan)) {
      if (event.timeMs > NOW + 10 * MINUTE) break;
      if (event.kind === "point" && event.timeMs > NOW) points.push(event);
    }
    const slow = points.filter(({ values }) => values.step_time > 1.2 * scenario.live.plan.stepTimeS);
    expect(slow.length).toBeGreaterThan(200);
    const agreeing = points.filter(
      ({ timeMs, values }) =>
        gpuReading(node, "DCGM_FI_DEV_SM_CLOCK", 5, timeMs - 100) < 1_600 === values.step_time > 1.2 * scenario.live.plan.stepTimeS,
    );
    expect(agreeing.length / points.length).toBeGreaterThan(0.99);
  });

  it("goes wrong in no more than it is said to", () => {
    expect(fleet.truth.map(({ kind, host }) => `${kind} ${host}`)).toEqual([
      "hot-gpu a03-n03",
      "hot-gpu a03-n03",
      "link-errors a02-n02",
      "row-remap a04-n02",
      "default-fields a02-n04",
    ]);
  });
});

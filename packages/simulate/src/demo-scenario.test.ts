import { describe, expect, it } from "vitest";
import { demoScenario } from "./demo-scenario.ts";
import type { PointEvent } from "./event.ts";
import { simulateRun } from "./simulate-run.ts";

const NOW = Date.UTC(2026, 5, 1, 12);

describe("demoScenario", () => {
  const scenario = demoScenario(1, NOW);

  it("is the same for the same seed and time", () => {
    expect(demoScenario(1, NOW)).toEqual(scenario);
    expect(demoScenario(2, NOW)).not.toEqual(scenario);
  });

  it("has finished all of its history before now, under names of their own", () => {
    for (const { plan } of scenario.history) {
      const last = [...simulateRun(plan)].at(-1);
      expect(last).toMatchObject({ kind: "end", outcome: "finished" });
      expect(last?.timeMs).toBeLessThan(NOW);
    }
    const names = [...scenario.history, scenario.live].map((run) => run.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("shows, live, a spike that begins within 10 s of wall time and has not come back 20 s later; and the run goes on", () => {
    const { plan, backlogSteps } = scenario.live;
    const seen: PointEvent[] = [];
    for (const event of simulateRun(plan)) {
      if (event.kind === "point") seen.push(event);
      if (event.timeMs > NOW + 60_000) break;
    }
    const backlogEnd = seen.find((point) => point.step === backlogSteps);
    expect(Math.abs((backlogEnd?.timeMs ?? 0) - NOW)).toBeLessThan(10_000);
    const onset = scenario.live.truth.find((truth) => truth.kind === "spike-shift");
    const onsetAtMs = seen.find((point) => point.step === onset?.lossOnsetStep)?.timeMs ?? 0;
    expect(onsetAtMs - (backlogEnd?.timeMs ?? 0)).toBeLessThan(10_000);
    const before = seen.filter((point) => point.step > backlogSteps - 200 && point.step < backlogSteps).map((point) => point.values.loss);
    const worstBefore = Math.max(...before);
    const later = seen.filter((point) => point.timeMs >= onsetAtMs + 19_000 && point.timeMs <= onsetAtMs + 21_000);
    expect(later.length).toBeGreaterThan(4);
    for (const point of later) expect(point.values.loss).toBeGreaterThan(worstBefore);
    expect(plan.steps - backlogSteps).toBeGreaterThan(100_000);
  });

  it("keeps a complete checkpoint before the live onset within reach", () => {
    const { plan, truth } = scenario.live;
    const onset = truth.find((item) => item.kind === "spike-shift")?.onsetStep ?? 0;
    const newest = Math.floor((onset - 50) / plan.checkpointEvery) * plan.checkpointEvery;
    expect(onset - newest).toBeLessThan(plan.checkpointEvery + 50);
    expect(plan.incompleteCheckpoints).not.toContain(newest);
  });
});

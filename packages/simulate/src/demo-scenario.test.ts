import { describe, expect, it } from "vitest";
import { demoScenario } from "./demo-scenario.ts";
import { simulateRun } from "./simulate-run.ts";

const NOW = Date.UTC(2026, 5, 1, 12);

describe("demoScenario", () => {
  const scenario = demoScenario(1, NOW);

  it("is the same for the same seed and time", () => {
    const again = demoScenario(1, NOW);
    expect(again.history).toEqual(scenario.history);
    expect([again.live, again.past].map(({ simulated }) => simulated.truth)).toEqual(
      [scenario.live, scenario.past].map(({ simulated }) => simulated.truth),
    );
    expect(demoScenario(2, NOW).history).not.toEqual(scenario.history);
  });

  it("has finished all of its history before now, under names of their own", () => {
    for (const { plan } of scenario.history) {
      const last = [...simulateRun(plan)].at(-1);
      expect(last).toMatchObject({ kind: "end", outcome: "finished" });
      expect(last?.timeMs).toBeLessThan(NOW);
    }
    const last = [...scenario.past.simulated.events()].at(-1);
    expect(last).toMatchObject({ kind: "end", outcome: "finished" });
    expect(last?.timeMs).toBeLessThan(NOW);
    const names = [...scenario.history, scenario.past, scenario.live].map((run) => run.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

import { describe, expect, it } from "vitest";
import { runStateWord } from "./run-state.ts";

describe("the state of a run in a word", () => {
  it("claims OK only where a detector has looked", () => {
    expect(runStateWord({ state: "running", worst: null, watched: true }).mark).toBe("ok");
    expect(runStateWord({ state: "running", worst: null, watched: false }).mark).toBe("unknown");
    expect(runStateWord({ state: "finished", worst: null, watched: false }).mark).toBe("unknown");
  });

  it("never calls silence health", () => {
    expect(runStateWord({ state: "silent", worst: null, watched: true }).mark).toBe("unknown");
  });

  it("shows the worst open finding before the run's own state", () => {
    const worst = { severity: "critical", state: "shifted", summary: "Loss +0.23 nats", incidentId: 1 } as const;
    expect(runStateWord({ state: "finished", worst, watched: true })).toEqual({
      mark: "critical",
      word: "Shifted",
      title: "Loss +0.23 nats",
    });
  });
});

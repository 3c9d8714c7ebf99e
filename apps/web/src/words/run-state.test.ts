import { describe, expect, it } from "vitest";
import { runStateWord } from "./run-state.ts";

describe("the state of a run in a word", () => {
  it("claims OK only where a detector has looked", () => {
    expect(runStateWord({ state: "running", worst: null, watched: true, openOfEarlier: 0 }).mark).toBe("ok");
    expect(runStateWord({ state: "running", worst: null, watched: false, openOfEarlier: 0 }).mark).toBe("unknown");
    expect(runStateWord({ state: "finished", worst: null, watched: false, openOfEarlier: 0 }).mark).toBe("unknown");
  });

  it("never calls silence health", () => {
    expect(runStateWord({ state: "silent", worst: null, watched: true, openOfEarlier: 0 }).mark).toBe("unknown");
  });

  it("counts what is open of earlier attempts beside it, and is not marked by it", () => {
    const { mark, title } = runStateWord({ state: "running", worst: null, watched: true, openOfEarlier: 2 });
    expect([mark, title]).toEqual(["ok", "Watched, and no open finding; 2 open incidents of earlier attempts"]);
  });

  it("shows the worst open finding before the run's own state", () => {
    const worst = { severity: "critical", state: "shifted", summary: "Loss +0.23 nats", incidentId: 1 } as const;
    expect(runStateWord({ state: "finished", worst, watched: true, openOfEarlier: 0 })).toEqual({
      mark: "critical",
      word: "Shifted",
      title: "Loss +0.23 nats",
    });
  });
});

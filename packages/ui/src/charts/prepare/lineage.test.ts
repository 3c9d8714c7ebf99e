import type { Passport } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { lineageOf } from "./lineage.ts";

const event = (given: Partial<Passport["events"][number]>): Passport["events"][number] => ({
  step: 700,
  severity: "warning",
  incidentId: 7,
  title: "Loss ×2.4",
  outcome: "recovered",
  ...given,
});
const seen = (given: Partial<Pick<Passport, "lineage" | "events" | "skipped">> = {}) =>
  lineageOf({
    step: 1_800,
    lineage: [
      { attempt: "a1", fromStep: 1, toStep: 1_000, rolledBack: [{ fromStep: 1_001, toStep: 1_500, reason: "diverged" }] },
      { attempt: "a2", fromStep: 1_001, toStep: 2_200, rolledBack: [] },
    ],
    events: [],
    skipped: [],
    ...given,
  });

describe("what the weights of a checkpoint have seen", () => {
  it("ends at the checkpoint: what its attempt did later is not in the weights", () => {
    expect(seen()?.parts.map(({ name, from, to, text }) => [name, from, to, text])).toEqual([
      ["a1", 1, 1_000, "1,000 steps"],
      ["a2", 1_001, 1_800, "800 steps"],
    ]);
    expect(seen()?.to).toBe(1_800);
  });

  it("hangs what was rolled back under its attempt, with the reason", () => {
    expect(seen()?.stubs.map(({ from, to, text }) => [from, to, text])).toEqual([[1_001, 1_500, "rolled back 500 steps, diverged"]]);
  });

  it("shows incidents before the checkpoint alone, and cuts a long title on a word", () => {
    const events = [
      event({ incidentId: 1 }),
      event({ incidentId: 2, step: 1_900 }),
      event({ incidentId: 3, step: null }),
      event({ incidentId: 4, title: "Loss not recovered: ×2.4 spike at step 48,210, still +0.23 nats" }),
    ];
    const lineage = seen({ events });
    expect(lineage?.events.map(({ incidentId }) => incidentId)).toEqual([1, 4]);
    expect(lineage?.events[1]?.text).toBe("Loss not recovered: ×2.4 spike at step…");
    expect(lineage?.events[1]?.title).toContain("still +0.23 nats, recovered");
  });

  it("tells all of it in words too", () => {
    expect(seen({ events: [event({})], skipped: [{ fromStep: 1_100, toStep: 1_150, incidentId: 7 }] })?.summary).toBe(
      "a1: steps 1 to 1,000 are in the weights. a2: steps 1,001 to 1,800 are in the weights. " +
        "a1: steps 1,001 to 1,500 were rolled back and are not in the weights: diverged. " +
        "data of steps 1,100 to 1,150 skipped, incident #7. warning at step 700: Loss ×2.4, recovered. This checkpoint is step 1,800.",
    );
  });

  it("is nothing where no attempt says which steps it took", () => {
    expect(seen({ lineage: [{ attempt: "a1", fromStep: null, toStep: null, rolledBack: [] }] })).toBeNull();
  });
});

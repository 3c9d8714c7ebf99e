import { describe, expect, it } from "vitest";
import { factsAt, START_MS, watchEach } from "./clock-facts.fixture.ts";

const EVERY = 100;

/** A step each second, the last checkpoint as given. */
const stepping = (second: number, savedAt: number | null, more: Parameters<typeof factsAt>[1] = {}) =>
  factsAt(second, {
    lastStep: 1_000 + second,
    stepMovedAtMs: START_MS + second * 1_000,
    stepTimeS: 1,
    checkpoint: savedAt === null ? null : { step: savedAt, savedAtMs: START_MS },
    checkpointEvery: EVERY,
    ...more,
  });

describe("checkpoint late", () => {
  it("speaks once more than two intervals have passed, at each further one, and ends with the next save", () => {
    const said = watchEach(1, 400, (second) => stepping(second, second < 350 ? 1_000 : 1_350));
    expect(said.map(({ second, finding }) => [second, finding.detector, finding.state])).toEqual([
      [201, "checkpoint-late", "ongoing"],
      [300, "checkpoint-late", "ongoing"],
      [350, "checkpoint-late", "recovered"],
    ]);
    expect(new Set(said.map(({ finding }) => finding.id)).size).toBe(1);
    expect(said[1]?.finding).toMatchObject({
      severity: "warning",
      onsetStep: 1_100,
      summary: "No checkpoint for 300 steps, 5 min of work; one is due each 100.",
    });
    expect(said[2]?.finding.summary).toMatch(/; saved again at 1,350\.$/);
  });

  it("counts from the first step it saw where no checkpoint is known", () => {
    expect(watchEach(1, 300, (second) => stepping(second, null))[0]?.second).toBe(202);
  });

  it("is silent while the interval is not known, and once the attempt has ended", () => {
    expect(watchEach(1, 900, (second) => stepping(second, 1_000, { checkpointEvery: null }))).toEqual([]);
    expect(watchEach(1, 900, (second) => stepping(second, 1_000, { ended: true }))).toEqual([]);
  });

  it("is closed when the attempt ends, even where nothing is known of it any more", () => {
    const ending = (second: number) =>
      stepping(second, 1_000, second < 250 ? {} : { ended: true, stepMovedAtMs: null, checkpoint: null, checkpointEvery: null });
    const said = watchEach(1, 300, ending);
    expect(said.map(({ second, finding }) => [second, finding.state, finding.endStep])).toEqual([
      [201, "ongoing", null],
      [250, "ongoing", 1_250],
    ]);
    expect(said[1]?.finding.summary).toMatch(/one is due each 100, and the attempt has ended\.$/);
  });

  it("honours its parameter", () => {
    const parameters = { "checkpoint-late": { intervals: 5 } };
    expect(watchEach(1, 600, (second) => stepping(second, 1_000), new Map(), parameters)[0]?.second).toBe(501);
  });
});

describe("checkpoint incomplete", () => {
  const incomplete = { step: 1_200, savedAtMs: null, reason: "1 of 8 shards is missing" };

  it("speaks after the grace that a save may take, names the one before, and ends when a later one is whole", () => {
    const said = watchEach(5, 400, (second) =>
      stepping(second, second < 250 ? 1_100 : 1_250, { incomplete: second >= 100 ? incomplete : null }),
    ).filter(({ finding }) => finding.detector === "checkpoint-failed");
    expect(said.map(({ second, finding }) => [second, finding.state, finding.onsetStep])).toEqual([
      [160, "ongoing", 1_200],
      [250, "recovered", 1_200],
    ]);
    expect(said[0]?.finding.summary).toBe("The checkpoint of step 1,200 is incomplete; the newest other is of step 1,100.");
    expect(said[0]?.finding.evidence[0]?.text).toContain("1 of 8 shards is missing");
    expect(said[1]?.finding.id).toBe(said[0]?.finding.id);
  });

  it("waits while the save goes on, and says nothing of one that a whole one has replaced", () => {
    const saving = (second: number) => stepping(second, 1_100, { incomplete, phase: { kind: "checkpoint", sinceMs: START_MS } });
    expect(watchEach(5, 190, saving)).toEqual([]);
    expect(watchEach(5, 190, (second) => stepping(second, 1_200, { incomplete }))).toEqual([]);
  });

  it("stands when the attempt ends, and is over", () => {
    const ending = (second: number) =>
      stepping(
        second,
        1_100,
        second < 100 ? { incomplete } : { ended: true, stepMovedAtMs: null, checkpoint: null, checkpointEvery: null },
      );
    const said = watchEach(5, 150, ending);
    expect(said.map(({ second, finding }) => [second, finding.state, finding.endTimeMs])).toEqual([
      [65, "ongoing", null],
      [100, "ongoing", START_MS + 100_000],
    ]);
    expect(said[1]?.finding.summary).toBe("The checkpoint of step 1,200 is incomplete; nothing was saved after it.");
  });

  it("says where there is no other to go back to", () => {
    const said = watchEach(5, 100, (second) => stepping(second, null, { incomplete }));
    expect(said[0]?.finding.summary).toBe("The checkpoint of step 1,200 is incomplete; there is none before it.");
  });
});

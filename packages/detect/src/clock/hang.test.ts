import { findingSchema } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { factsAt, START_MS, watchEach } from "./clock-facts.fixture.ts";
import { ranksBehind, sayRanks } from "./ranks-behind.ts";

/** 128 tasks; those given stand at step 187, the others at 189. */
const ranksAt = (behind: readonly number[], count = 128): ReadonlyMap<number, number> =>
  new Map(Array.from({ length: count }, (_, rank) => [rank, behind.includes(rank) ? 187 : 189]));

describe("hang", () => {
  it("F5: 128 tasks run, heartbeats go on, and the last steps are 187 and 189: told within 60 s, with the ranks one step behind as suspects", () => {
    const said = watchEach(1, 61, (second) => factsAt(second), ranksAt([17, 64, 65]));
    expect(said[0]?.second).toBeLessThanOrEqual(60);
    const critical = said.find(({ finding }) => finding.severity === "critical");
    expect(critical?.second).toBe(60);
    const finding = said.at(-1)?.finding;
    expect(findingSchema.strict().parse(finding)).toEqual(finding);
    expect(finding).toMatchObject({
      detector: "hang",
      state: "stalled",
      onsetStep: 189,
      onsetTimeMs: START_MS,
      subject: { kind: "run" },
      facts: [{ fact: "ranks-behind", value: 3 }],
    });
    expect(finding?.summary).toBe("No step for 60 s at 189; ranks 17, 64 and 65 are behind.");
    expect(finding?.evidence.map(({ text }) => text)).toContain(
      "Of 128 ranks, ranks 17, 64 and 65 stand at step 187 and the foremost at 189",
    );
  });

  it("F5: with a slow step the limit is five of the run's own steps", () => {
    const said = watchEach(5, 200, (second) => factsAt(second, { stepTimeS: 30 }));
    expect(said.map(({ second, finding }) => [second, finding.severity])).toEqual([[150, "critical"]]);
  });

  it("F5: a single rank behind is where the finding is placed", () => {
    const [first] = watchEach(10, 70, (second) => factsAt(second), ranksAt([40]));
    expect(first?.finding).toMatchObject({ severity: "warning", place: { rank: 40 } });
    expect(first?.second).toBe(30);
  });

  it("D1: a run of which nothing is heard any more is silent and not known to hang", () => {
    expect(watchEach(5, 600, (second) => factsAt(second, { lastReceivedAtMs: START_MS }), ranksAt([3]))).toEqual([]);
  });

  it("D1: after a gap of six minutes the run goes on, and nothing was said", () => {
    const back = (second: number) =>
      second < 360
        ? factsAt(second, { lastReceivedAtMs: START_MS })
        : factsAt(second, { lastStep: 189 + Math.floor((second - 360) / 4), stepMovedAtMs: START_MS + 4_000 * Math.floor(second / 4) });
    expect(watchEach(5, 600, back)).toEqual([]);
  });

  it("says so early where no byte moves, and at the limit where nothing is known of bytes", () => {
    const still = watchEach(1, 70, (second) => factsAt(second, { trafficShare: 0 }));
    expect(still.map(({ second, finding }) => [second, finding.severity])).toEqual([
      [30, "warning"],
      [60, "critical"],
    ]);
    expect(watchEach(1, 70, (second) => factsAt(second)).map(({ second }) => second)).toEqual([60]);
  });

  it("doubts while most GPUs still move bytes, or where a save is due at this very step, and pages at three times the limit", () => {
    const moving = watchEach(1, 200, (second) => factsAt(second, { trafficShare: 0.9 }));
    expect(moving.find(({ finding }) => finding.severity === "critical")?.second).toBe(180);
    expect(moving[0]?.finding).toMatchObject({ severity: "warning" });
    const due = watchEach(1, 200, (second) =>
      factsAt(second, { lastStep: 200, checkpoint: { step: 100, savedAtMs: null }, checkpointEvery: 100 }),
    );
    expect(due.find(({ finding }) => finding.severity === "critical")?.second).toBe(180);
  });

  it("waits through a checkpoint or an evaluation that has been announced, but not for ever", () => {
    const phase = (second: number) => factsAt(second, { phase: { kind: "checkpoint", sinceMs: START_MS } });
    expect(watchEach(10, 1_800, phase)).toEqual([]);
    expect(watchEach(10, 1_900, phase)[0]).toMatchObject({ second: 1_810, finding: { severity: "critical" } });
  });

  it("does not take a log of each tenth step for a hang between two points", () => {
    const sparse = (second: number) => factsAt(second, { stepTimeS: 8, logEvery: 10 });
    expect(watchEach(2, 80, sparse)).toEqual([]);
    expect(watchEach(2, 200, sparse)[0]?.second).toBe(168);
  });

  it("uses 60 s where the pace is not known, and says so", () => {
    const [first] = watchEach(1, 70, (second) => factsAt(second, { stepTimeS: null }));
    expect(first?.second).toBe(60);
    expect(first?.finding.evidence[0]?.text).toContain("pace is not known, so the least of 60 s holds");
  });

  it("recovers when the step moves, as the same finding, and tells a second hang apart", () => {
    const hangs = (second: number) => {
      if (second < 100) return factsAt(second);
      const moved = second < 160 ? 100 : 160;
      return factsAt(second, { lastStep: 189 + moved, stepMovedAtMs: START_MS + moved * 1_000 });
    };
    const said = watchEach(1, 230, hangs);
    expect(said.map(({ second, finding }) => [second, finding.state])).toEqual([
      [60, "stalled"],
      [100, "recovered"],
      [220, "stalled"],
    ]);
    expect(said[1]?.finding.id).toBe(said[0]?.finding.id);
    expect(said[1]?.finding).toMatchObject({ endTimeMs: START_MS + 100_000, endStep: 289 });
    expect(said[2]?.finding.id).not.toBe(said[0]?.finding.id);
    expect(said[2]?.finding.fingerprint).toBe(said[0]?.finding.fingerprint);
  });

  it("is closed when the attempt ends, and says nothing of an attempt that has ended or never made a step", () => {
    const said = watchEach(1, 90, (second) => factsAt(second, { ended: second >= 80 }));
    expect(said.at(-1)).toMatchObject({ second: 80, finding: { state: "stalled", endTimeMs: START_MS + 80_000 } });
    expect(watchEach(1, 90, (second) => factsAt(second, { ended: true }))).toEqual([]);
    expect(watchEach(1, 90, (second) => factsAt(second, { lastStep: null, stepMovedAtMs: null }))).toEqual([]);
  });

  it("is told a few times only, however long it lasts", () => {
    expect(watchEach(5, 36_000, (second) => factsAt(second)).length).toBeLessThan(12);
  });

  it("honours its parameters", () => {
    const parameters = { hang: { least: 20, steps: 1, suspect_share: 1 } };
    expect(watchEach(1, 30, (second) => factsAt(second), new Map(), parameters)[0]?.second).toBe(20);
  });
});

describe("ranks behind", () => {
  it("are those at the lowest step near the front; one that went away long ago has no part in it", () => {
    const steps = new Map([
      [0, 189],
      [1, 188],
      [2, 187],
      [3, 12],
    ]);
    expect(ranksBehind(steps, 1)).toEqual({ ranks: [2], step: 187, front: 189, known: 3, between: 1, gone: 1 });
  });

  it("are none where all stand together, or where one is known", () => {
    expect(ranksBehind(new Map([[0, 5]]), 1)).toBeNull();
    expect(ranksBehind(ranksAt([]), 1)).toBeNull();
  });

  it("are no suspects where they are most: those ahead may only log more often", () => {
    const most = watchEach(
      1,
      61,
      (second) => factsAt(second),
      new Map([[0, 189], ...Array.from({ length: 7 }, (_, rank): [number, number] => [rank + 1, 180])]),
    );
    expect(most[0]?.second).toBe(60);
    expect(most[0]?.finding.facts).toEqual([]);
    expect(most[0]?.finding.evidence.find(({ text }) => text.includes("8 ranks"))?.weight).toBe("neutral");
  });

  it.each([
    [[5], "rank 5"],
    [[5, 6, 7, 9], "ranks 5 to 7 and 9"],
    [Array.from({ length: 40 }, (_, index) => 2 * index), "ranks 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 28 more"],
  ])("%j are said as %s", (ranks, text) => expect(sayRanks(ranks)).toBe(text));
});

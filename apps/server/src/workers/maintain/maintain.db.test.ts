import type { LiveMove } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createDetectBench, type DetectBench } from "../detect/detect-bench.fixture.ts";
import { deleteOldRuns } from "./delete-old-runs.ts";
import { updateRunStates } from "./update-run-states.ts";

const MINUTE_MS = 60_000;

/** One push each ten seconds, `count` of them; the last one has just come. */
async function pushes(bench: DetectBench, from: number, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    bench.clock.advance(10_000);
    await bench.push(buildPush({ source: "r", seq: from + index }, [{ metric: "loss", points: [[from + index, 2]] }]));
  }
}

async function round(bench: DetectBench): Promise<readonly LiveMove[]> {
  const announced: LiveMove[] = [];
  await updateRunStates(
    bench.store.records,
    { announce: (move) => void announced.push(move), follow: () => (async function* () {})() },
    bench.clock.now(),
  );
  return announced;
}

describe("updateRunStates", () => {
  it("D1: a run falls silent and comes back, each with its evidence on record; it is never guessed to have crashed", async () => {
    await using bench = await createDetectBench();
    await pushes(bench, 1, 10);
    expect(await round(bench)).toEqual([]);
    expect(await bench.verbs.runs.get({ runId: 1 })).toMatchObject({ state: "running" });

    bench.clock.advance(6 * MINUTE_MS);
    expect(await round(bench)).toEqual([expect.objectContaining({ runId: 1, lastStep: 10 })]);
    expect(await bench.verbs.runs.get({ runId: 1 })).toMatchObject({
      state: "silent",
      stateReason: "no data since 2026-01-01T00:01:40Z; before, it came about every 10 s",
      stateSinceMs: bench.clock.now(),
    });
    expect(await round(bench)).toEqual([]);

    await pushes(bench, 11, 3);
    await round(bench);
    const back = await bench.verbs.runs.get({ runId: 1 });
    expect(back.state).toBe("running");
    expect(back.notes.map(({ kind, text }) => [kind, text.split(":", 1)[0]])).toContainEqual(["state", "silent"]);
  });

  it("calls a run stalled whose data comes without steps, and running again once they move", async () => {
    await using bench = await createDetectBench();
    await pushes(bench, 1, 10);
    await round(bench);
    for (let index = 0; index < 12; index++) {
      bench.clock.advance(10_000);
      await bench.push(
        buildPush({ source: "heart", seq: index }, [{ metric: "heartbeat", labels: { rank: String(index) }, points: [[10, index]] }]),
      );
      await round(bench);
    }
    expect(await bench.verbs.runs.get({ runId: 1 })).toMatchObject({
      state: "stalled",
      stateReason: expect.stringMatching(/^data comes, but no step after 10 since /),
    });
    // Heartbeats that go on do not set it back: one stall is told once.
    expect((await bench.verbs.runs.get({ runId: 1 })).notes.filter(({ kind }) => kind === "state")).toHaveLength(1);
    await pushes(bench, 11, 1);
    await round(bench);
    expect((await bench.verbs.runs.get({ runId: 1 })).state).toBe("running");
  });

  it("leaves alone what the source has ended and what is archived", async () => {
    await using bench = await createDetectBench();
    await pushes(bench, 1, 5);
    await bench.push(buildPush({ source: "r", seq: 99, ended: "crashed" }, []));
    bench.clock.advance(60 * MINUTE_MS);
    await round(bench);
    expect((await bench.verbs.runs.get({ runId: 1 })).state).toBe("crashed");
  });
});

describe("deleteOldRuns", () => {
  const DAY_MS = 24 * 60 * MINUTE_MS;

  it("deletes nothing unless the setting says so", async () => {
    await using bench = await createDetectBench();
    await pushes(bench, 1, 3);
    expect(await deleteOldRuns(bench.store, bench.clock.now() + 1_000 * DAY_MS)).toBe(0);
  });

  it("deletes runs that have not moved for so long, samples too, and leaves a word in the audit", async () => {
    await using bench = await createDetectBench();
    await pushes(bench, 1, 3);
    await bench.verbs.settings.set({ retentionDays: 30 });
    bench.clock.advance(29 * DAY_MS);
    await bench.push(
      buildPush({ source: "young", seq: 0, run: { project: "test", name: "young" } }, [{ metric: "loss", points: [[1, 2]] }]),
    );
    expect(await deleteOldRuns(bench.store, bench.clock.now())).toBe(0);
    bench.clock.advance(2 * DAY_MS);
    expect(await deleteOldRuns(bench.store, bench.clock.now())).toBe(1);
    expect((await bench.verbs.runs.list({})).items.map(({ name }) => name)).toEqual(["young"]);
    expect((await bench.store.pool.query("SELECT DISTINCT group_id FROM samples.block")).rows).toEqual([{ group_id: 2 }]);
    expect((await bench.verbs.audit.list({ target: "run:1" })).items).toEqual([
      expect.objectContaining({ actor: "retention", verb: "runs.delete", details: { run: "test/run", retentionDays: 30 } }),
    ]);
  });
});

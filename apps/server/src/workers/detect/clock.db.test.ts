import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { updateRunStates } from "../maintain/update-run-states.ts";
import { beginTurn, clockRound } from "./clock-round.ts";
import { createDetectBench, type DetectBench } from "./detect-bench.fixture.ts";

const SECOND = 1_000;

/** A step every two seconds, pushed every ten; `beats` go on as heartbeats without a step. */
async function train(bench: DetectBench, from: number, pushes: number): Promise<void> {
  for (let push = 0; push < pushes; push++) {
    bench.clock.advance(10 * SECOND);
    const steps = Array.from({ length: 5 }, (_, index) => from + push * 5 + index);
    const points = steps.map(
      (step) => [step, 2 + 0.01 * (step % 3), bench.clock.now() - 2 * SECOND * (steps.at(-1) ?? step) + 2 * SECOND * step] as const,
    );
    await bench.push(buildPush({ source: "r", seq: from + push }, [{ metric: "loss", points }]));
    await bench.drain();
    await bench.tick();
  }
}

async function beat(bench: DetectBench, seconds: number, restarts: boolean): Promise<void> {
  for (let second = 0; second < seconds; second += 5) {
    bench.clock.advance(5 * SECOND);
    const at = bench.clock.now();
    await bench.push(buildPush({ source: "heart", seq: at }, [{ metric: "heartbeat", labels: { rank: String(at) }, points: [[100, 1]] }]));
    await bench.drain({ restarts });
    await bench.tick({ restarts });
  }
}

describe("a round of the clock", () => {
  it("stops where samples wait, and goes on where it stopped", async () => {
    await using bench = await createDetectBench();
    for (const name of ["a", "b", "c"])
      await bench.push(buildPush({ source: name, seq: 1, run: { project: "p", name } }, [{ metric: "loss", points: [[1, 2]] }]));
    await bench.drain();
    const { store, views, clock } = bench;
    const told: number[] = [];
    const act = (runId: number): Promise<void> => Promise.resolve(void told.push(runId));
    const round = {
      store,
      views,
      lease: await bench.lease(),
      now: clock.now,
      held: () => null,
      isDue: (runId: number) => runId !== 2,
      act,
    };
    const turn = await beginTurn(store, clock.now);
    const rest = await clockRound({ ...round, turn, mustYield: () => true });
    expect([told, rest.runs.map(({ id }) => id), rest.atMs]).toEqual([[1], [2, 3], turn.atMs]);
    expect((await clockRound({ ...round, turn: rest, mustYield: () => false })).runs).toEqual([]);
    expect(told).toEqual([1, 3]);
  });

  it("does not wait for a run that a push is writing to, and knows all the same when its step moved", async () => {
    await using bench = await createDetectBench();
    await bench.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: [[1, 2]] }]));
    await bench.store.records.runs.signs();
    bench.clock.advance(30 * SECOND);
    await bench.push(buildPush({ source: "s", seq: 2 }, [{ metric: "loss", points: [[2, 2]] }]));
    const client = await bench.store.pool.connect();
    await client.query("BEGIN");
    await client.query("SELECT FROM run FOR UPDATE");
    try {
      expect(await bench.store.records.runs.signs()).toEqual([expect.objectContaining({ lastStep: 2, stepMovedAtMs: bench.clock.now() })]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  });
});

describe("what only the clock can tell", () => {
  it("finds a hang within a minute of the last step, once, through restarts, and ends it when steps come again", async () => {
    await using bench = await createDetectBench();
    await train(bench, 1, 20);
    const stoodAtMs = bench.clock.now();
    await beat(bench, 90, true);
    const [hang] = (await bench.verbs.incidents.list({})).items;
    expect(hang).toMatchObject({ findingState: "stalled", ongoing: true, attempt: "a1", onsetStep: 100 });
    expect((hang?.openedAtMs ?? 0) - stoodAtMs).toBeLessThanOrEqual(65 * SECOND);
    await train(bench, 101, 3);
    const incidents = (await bench.verbs.incidents.list({})).items;
    expect(incidents).toEqual([expect.objectContaining({ id: hang?.id, ongoing: false, findingCount: 1 })]);
  });

  it("D1: a run of which nothing comes at all is silent, and not said to hang", async () => {
    await using bench = await createDetectBench();
    await train(bench, 1, 20);
    for (let second = 0; second < 600; second += 5) {
      bench.clock.advance(5 * SECOND);
      await bench.tick();
    }
    await updateRunStates(bench.store.records, { announce: () => undefined, follow: () => (async function* () {})() }, bench.clock.now());
    expect(await bench.verbs.runs.get({ runId: 1 })).toMatchObject({ state: "silent" });
    expect((await bench.verbs.incidents.list({})).items).toEqual([]);
  });

  it("an announced checkpoint excuses a step that stands", async () => {
    await using bench = await createDetectBench();
    await train(bench, 1, 20);
    await bench.push(
      buildPush(
        { source: "e", seq: 1, events: [{ kind: "checkpoint-started", step: 100, timeMs: bench.clock.now(), text: "saving" }] },
        [],
      ),
    );
    await beat(bench, 120, false);
    expect((await bench.verbs.incidents.list({})).items).toEqual([]);
  });

  it("what was hanging when the run ended does not go on", async () => {
    await using bench = await createDetectBench();
    await train(bench, 1, 20);
    await beat(bench, 90, false);
    expect((await bench.verbs.incidents.list({})).items).toEqual([expect.objectContaining({ ongoing: true })]);
    await bench.push(buildPush({ source: "r", seq: 9_999, ended: "crashed" }, []));
    await bench.drain();
    expect((await bench.verbs.incidents.list({})).items).toEqual([expect.objectContaining({ ongoing: false })]);
  });
});

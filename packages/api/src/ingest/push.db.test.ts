import type { PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createPushWorld, ramp } from "./world.fixture.ts";

const T0 = Date.UTC(2026, 0, 1);

describe("ingest.push", () => {
  it("stores what it acknowledges, and says where the run stands", async () => {
    await using world = await createPushWorld();
    const answer = await world.push(
      buildPush({ source: "s", seq: 1, metadata: { gpus: 64 } }, [
        {
          metric: "train_loss",
          unit: "nats",
          points: ramp(
            1,
            1000,
            (step) => 2 - step / 1000,
            (step) => T0 + step * 1000,
          ),
        },
      ]),
    );
    expect(answer).toMatchObject({ accepted: 1000, repeated: 0, missing: 0, refusedTotal: 0, flagged: [], attempt: "a1" });
    const window = await world.window(answer.runId);
    expect(window.lines[0]).toMatchObject({ metric: "loss", unit: "nats", summary: { points: 1000, min: 1, minStep: 1000, last: 1 } });
    const [run] = await world.store.records.runs.summaries([answer.runId]);
    expect(run).toMatchObject({
      project: "test",
      name: "run",
      state: "running",
      attempt: "a1",
      lastStep: 1000,
      lastLoss: 1,
      lastSampleAtMs: T0 + 1_000_000,
      metadata: { gpus: 64 },
    });
    expect(world.moves).toEqual([{ runId: answer.runId, lastStep: 1000, samples: 1000, atMs: world.clock.now(), incidentsChanged: false }]);
  });

  it("answers the same to the same (source, seq) and stores nothing new", async () => {
    await using world = await createPushWorld();
    const push = buildPush({ source: "s", seq: 1, checkpoints: [{ step: 10 }], events: [{ kind: "eval", text: "done" }] }, [
      { metric: "loss", points: ramp(1, 50) },
    ]);
    const first = await world.push(push);
    const blocks = await world.rows("SELECT * FROM samples.block");
    world.clock.advance(1000);
    // The order of fields in a body says nothing.
    const reordered: PushInput = {
      ...Object.fromEntries(Object.entries(push).reverse()),
      source: "s",
      seq: 1,
      run: { name: "run", project: "test" },
    };
    expect(await world.push(reordered)).toEqual(first);
    expect(await world.rows("SELECT * FROM samples.block")).toEqual(blocks);
    expect(await world.rows("SELECT arrivals, point_count, last_received_at_ms - created_at_ms AS moved FROM run")).toEqual([
      { arrivals: 1, point_count: 50, moved: 0 },
    ]);
    expect(world.moves).toHaveLength(2);
  });

  it("refuses another body under a (source, seq) that was used, and keeps the first", async () => {
    await using world = await createPushWorld();
    const { runId } = await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: [[1, 1]] }]));
    await expect(world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: [[1, 2]] }]))).rejects.toMatchObject({
      code: "conflict",
      details: { source: "s", seq: 1 },
    });
    await expect(
      world.push(buildPush({ source: "s", seq: 1, run: { project: "test", name: "other" } }, [{ metric: "loss", points: [[1, 1]] }])),
    ).rejects.toMatchObject({ code: "conflict" });
    expect((await world.window(runId)).lines[0]?.last).toEqual([1]);
    expect(await world.rows("SELECT name FROM run")).toEqual([{ name: "run" }]);
  });

  it("stores the same push once, sent twice at the same time", async () => {
    await using world = await createPushWorld();
    const push = buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: ramp(1, 500) }]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => world.push(push)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await world.window(answers[0]?.runId ?? 0)).points).toBe(500);
    expect(await world.rows("SELECT sum(accepted) AS accepted FROM ingest_counter")).toEqual([{ accepted: 500 }]);
  });

  it("takes pushes of many sources to one new run at the same time", async () => {
    await using world = await createPushWorld();
    const pushes = Array.from({ length: 16 }, (_, rank) =>
      buildPush({ source: `rank ${rank}`, seq: 1 }, [{ metric: "loss", labels: { rank: String(rank) }, points: ramp(1, 200) }]),
    );
    const answers = await Promise.all(pushes.map((push) => world.push(push)));
    expect(new Set(answers.map(({ runId }) => runId)).size).toBe(1);
    expect(answers.every(({ accepted, attempt }) => accepted === 200 && attempt === "a1")).toBe(true);
    const { lines, points } = await world.window(answers[0]?.runId ?? 0);
    expect([lines.length, lines[0]?.members, points]).toEqual([1, 16, 3200]);
  });

  it("D5: keeps sixteen ranks of one run as one band and not as writers", async () => {
    await using world = await createPushWorld();
    const { runId } = await world.push(
      buildPush(
        { source: "s", seq: 1 },
        Array.from({ length: 16 }, (_, rank) => ({
          metric: "loss",
          labels: { rank: String(rank) },
          points: ramp(1, 100, (step) => step + rank),
        })),
      ),
    );
    const { lines } = await world.window(runId);
    expect(lines).toHaveLength(1);
    expect([lines[0]?.min[0], lines[0]?.max[0], lines[0]?.mean[0], lines[0]?.count[0]]).toEqual([1, 16, 8.5, 16]);
  });

  it("merges a log that is sent again from its beginning, as a later trainer_state.json does", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "checkpoint-500", seq: 0 }, [{ metric: "loss", points: ramp(1, 500, (step) => 1 / step) }]));
    const again = await world.push(
      buildPush({ source: "checkpoint-1000", seq: 0 }, [{ metric: "loss", points: ramp(1, 1000, (step) => 1 / step) }]),
    );
    expect(again).toMatchObject({ accepted: 500, repeated: 500, attempt: "a1" });
    expect(await world.lines(again.runId)).toEqual([["a1", null, false, 1, 1000, 1000]]);
  });

  it("keeps both of two values of one step, and says so", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "s", seq: 1, attempt: "x" }, [{ metric: "loss", points: ramp(1, 10) }]));
    const second = await world.push(
      buildPush({ source: "s", seq: 2, attempt: "x" }, [
        {
          metric: "eval/loss",
          points: [
            [5, 1],
            [5, 2],
            [5, 2],
          ],
        },
      ]),
    );
    expect(second).toMatchObject({ accepted: 2, repeated: 1 });
    expect(second.flagged.map(({ code }) => code)).toEqual(["second-value"]);
    expect((await world.window(second.runId, "eval/validation/loss")).points).toBe(2);
  });

  it("keeps two names of a source apart that mean the same metric", async () => {
    await using world = await createPushWorld();
    const { runId } = await world.push(
      buildPush({ source: "s", seq: 1 }, [
        { metric: "train_loss", points: [[1, 1]] },
        { metric: "lm loss", points: [[1, 2]] },
      ]),
    );
    expect(await world.rows("SELECT metric, source_name FROM series ORDER BY id")).toEqual([
      { metric: "loss", source_name: "train_loss" },
      { metric: "lm loss", source_name: "lm loss" },
    ]);
    await world.push(buildPush({ source: "s", seq: 2 }, [{ metric: "lm loss", points: [[2, 3]] }]));
    expect((await world.window(runId, "lm loss")).points).toBe(2);
  });

  it("stores checkpoints, events and assignments once, however often they are told", async () => {
    await using world = await createPushWorld();
    const facts = {
      checkpoints: [{ step: 100, path: "/ckpt/100", state: "verified" as const, reason: "replica hashes agree" }, { step: 200 }],
      events: [{ kind: "overflow", step: 7, text: "loss scale halved" }],
      assignments: [
        { rank: 0, node: "n1", gpuUuid: "GPU-1" },
        { rank: 1, node: "n1", gpuIndex: 1 },
      ],
    };
    const { runId } = await world.push(buildPush({ source: "s", seq: 1, ...facts }, [{ metric: "loss", points: ramp(1, 300) }]));
    await world.push(
      buildPush(
        { source: "s", seq: 2, ...facts, checkpoints: [{ step: 100 }, { step: 200, state: "incomplete", reason: "1 shard missing" }] },
        [],
      ),
    );
    expect((await world.store.records.runs.checkpoints(runId, { nearStep: null, limit: 10 })).items).toMatchObject([
      { step: 100, path: "/ckpt/100", state: "verified", reason: "replica hashes agree", attempt: "a1" },
      { step: 200, path: null, state: "incomplete", reason: "1 shard missing" },
    ]);
    // A later word with a reason wins, also where it says that nothing is wrong any more; it does not undo a verification.
    const complete = { state: "unchecked", reason: "all 8 shards and the metadata are there" } as const;
    await world.push(
      buildPush(
        {
          source: "s",
          seq: 3,
          checkpoints: [
            { step: 100, ...complete },
            { step: 200, ...complete },
          ],
        },
        [],
      ),
    );
    expect((await world.store.records.runs.checkpoints(runId, { nearStep: null, limit: 10 })).items).toMatchObject([
      { step: 100, state: "verified", reason: "replica hashes agree" },
      { step: 200, ...complete },
    ]);
    expect(await world.rows("SELECT kind, step, text FROM run_note")).toEqual([{ kind: "overflow", step: 7, text: "loss scale halved" }]);
    expect(await world.rows("SELECT rank, node, gpu_uuid FROM assignment ORDER BY rank")).toEqual([
      { rank: 0, node: "n1", gpu_uuid: "GPU-1" },
      { rank: 1, node: "n1", gpu_uuid: null },
    ]);
  });

  it("ends a run when the source says so, and takes it up again when samples arrive", async () => {
    await using world = await createPushWorld();
    const { runId } = await world.push(buildPush({ source: "s", seq: 1, ended: "crashed" }, [{ metric: "loss", points: ramp(1, 10) }]));
    const state = async () => (await world.store.records.runs.summaries([runId]))[0]?.state;
    expect(await state()).toBe("crashed");
    await world.push(buildPush({ source: "s", seq: 2 }, [{ metric: "loss", points: ramp(1, 10) }]));
    expect(await state()).toBe("crashed");
    await world.push(buildPush({ source: "s", seq: 3 }, [{ metric: "loss", points: ramp(11, 20) }]));
    expect(await state()).toBe("running");
  });

  it("does not take a log that is sent again, or facts about the run, for a sign that the run lives", async () => {
    await using world = await createPushWorld();
    const since = async () => (await world.rows("SELECT last_received_at_ms - created_at_ms AS since FROM run"))[0];
    await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: ramp(1, 10) }]));
    world.clock.advance(1000);
    await world.push(buildPush({ source: "again", seq: 1 }, [{ metric: "loss", points: ramp(1, 10) }]));
    await world.push(buildPush({ source: "facts", seq: 1, metadata: { gpus: 8 } }, []));
    expect(await since()).toEqual({ since: 0 });
    await world.push(buildPush({ source: "heartbeat", seq: 1 }, []));
    expect(await since()).toEqual({ since: 1000 });
    world.clock.advance(1000);
    await world.push(buildPush({ source: "s", seq: 2 }, [{ metric: "loss", points: ramp(1, 11) }]));
    expect(await since()).toEqual({ since: 2000 });
  });

  it("stores nothing of a push that fails half-way", async () => {
    await using world = await createPushWorld();
    await world.store.pool.query("ALTER TABLE checkpoint ADD CONSTRAINT fails CHECK (step <> 13)");
    await expect(
      world.push(buildPush({ source: "s", seq: 1, checkpoints: [{ step: 13 }] }, [{ metric: "loss", points: ramp(1, 10) }])),
    ).rejects.toThrow();
    expect(await world.rows("SELECT FROM run")).toEqual([]);
    expect(await world.rows("SELECT FROM samples.block")).toEqual([]);
    expect(await world.rows("SELECT FROM ingest_batch")).toEqual([]);
  });

  it("C7: refuses negative durations, and takes what a clock that was set back has logged", async () => {
    await using world = await createPushWorld();
    const answer = await world.push(
      buildPush({ source: "s", seq: 1 }, [
        {
          metric: "step_time",
          points: [
            [1, 0.5],
            [2, -3599.5],
            [3, 0.5],
          ],
        },
        {
          metric: "loss",
          points: ramp(
            1,
            100,
            (step) => step,
            (step) => T0 + step * 1000 - (step > 50 ? 3_600_000 : 0),
          ),
        },
      ]),
    );
    expect(answer).toMatchObject({ accepted: 102, refusedTotal: 1 });
    expect(answer.refused).toMatchObject([{ series: 0, index: 1, code: "negative-duration" }]);
    expect(answer.flagged).toMatchObject([{ series: 1, index: 50, code: "clock-back" }]);
  });

  it("takes points that have a time and no step", async () => {
    await using world = await createPushWorld();
    const column = (from: number) => ({ series: 0, time: [T0 + from, T0 + from + 1000], value: [50, 60] });
    const first = await world.push({
      source: "s",
      seq: 1,
      run: { project: "p", name: "r" },
      series: [{ metric: "gpu_temp" }],
      columns: [column(0)],
    });
    const second = await world.push({
      source: "s",
      seq: 2,
      run: { project: "p", name: "r" },
      series: [{ metric: "gpu_temp" }],
      columns: [column(5000)],
    });
    expect([first, second]).toMatchObject([
      { accepted: 2, attempt: "a1" },
      { accepted: 2, attempt: "a1" },
    ]);
    const window = await world.store.samples.window({
      runId: first.runId,
      metrics: ["gpu_temp"],
      attempts: "all",
      axis: "time",
      from: null,
      to: null,
      buckets: 256,
    });
    expect([window.points, window.from, window.to, window.lines.length]).toEqual([4, T0, T0 + 6000, 1]);
  });
});

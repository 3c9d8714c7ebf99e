import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createPushWorld, type PushWorld, ramp } from "./world.fixture.ts";

async function pushAll(
  world: PushWorld,
  points: readonly (readonly [number, number, number?])[],
  size: number,
  source = "s",
): Promise<number> {
  let runId = 0;
  for (let at = 0; at < points.length; at += size)
    runId = (await world.push(buildPush({ source, seq: at }, [{ metric: "loss", points: points.slice(at, at + size) }]))).runId;
  return runId;
}

describe("attempts and writers at ingest", () => {
  it.each([7, 100, 5000])("C1: keeps both attempts of a resume and goes on after one absurd step, in pushes of %i points", async (size) => {
    await using world = await createPushWorld();
    const points = [
      ...ramp(1, 1000, (step) => 3 - step / 1000),
      ...ramp(501, 650, (step) => 2 - step / 1000),
      [1e9, 5] as const,
      ...ramp(651, 800, (step) => 2 - step / 1000),
    ];
    const runId = await pushAll(world, points, size);
    expect(await world.lines(runId)).toEqual([
      ["a1", null, false, 1, 500, 500],
      ["a1", null, true, 501, 1000, 500],
      ["a2", null, false, 501, 800, 300],
    ]);
    const [run] = await world.store.records.runs.summaries([runId]);
    expect(run).toMatchObject({ attempt: "a2", lastStep: 800, lastLoss: 2 - 0.8 });
    expect(await world.store.records.runs.attempts(runId)).toMatchObject([
      { name: "a1", firstStep: 1, lastStep: 1000 },
      { name: "a2", parent: "a1", branchStep: 500, firstStep: 501, lastStep: 800 },
    ]);
    const far = await world.store.samples.window({
      runId,
      metrics: ["loss"],
      attempts: "all",
      axis: "step",
      from: 0,
      to: 2e9,
      buckets: 256,
    });
    expect(far.points).toBe(1301);
  });

  it("C1: keeps them apart point by point", async () => {
    await using world = await createPushWorld();
    const runId = await pushAll(
      world,
      [
        ...ramp(1, 60, (step) => 3 - step / 1000),
        ...ramp(41, 50, (step) => 2 - step / 1000),
        [1e9, 5],
        ...ramp(51, 55, (step) => 2 - step / 1000),
      ],
      1,
    );
    expect(await world.lines(runId)).toEqual([
      ["a1", null, false, 1, 40, 40],
      ["a1", null, true, 41, 60, 20],
      ["a2", null, false, 41, 55, 15],
    ]);
  });

  it("C1: says of the absurd step that it is far, and takes what comes after", async () => {
    await using world = await createPushWorld();
    const answer = await world.push(
      buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: [...ramp(1, 500), [1e9, 5], ...ramp(501, 800)] }]),
    );
    expect(answer).toMatchObject({ accepted: 801, refusedTotal: 0 });
    expect(answer.flagged).toMatchObject([{ series: 0, index: 500, code: "far-step" }]);
    const [head] = await world.rows<{ last_step: number; far_points: number }>("SELECT last_step, far_points FROM samples.head");
    expect(head).toEqual({ last_step: 800, far_points: 1 });
  });

  it.each([7, 50, 5000])(
    "C2: keeps both when the counter starts again at 0, and asks which it was, in pushes of %i points",
    async (size) => {
      await using world = await createPushWorld();
      const runId = await pushAll(world, [...ramp(1, 300, (step) => 3 - step / 1000), ...ramp(0, 99, (step) => 2 - step / 1000)], size);
      expect(await world.lines(runId)).toEqual([
        ["a1", null, true, 1, 300, 300],
        ["a2", null, false, 0, 99, 100],
      ]);
      expect((await world.store.records.runs.attempts(runId)).map(({ question }) => question)).toEqual([null, "counter-reset"]);
    },
  );

  it("C4: makes three attempts of three overlapping logs, and no line runs backwards", async () => {
    await using world = await createPushWorld();
    await pushAll(
      world,
      ramp(1, 1000, (step) => step),
      400,
      "events.1",
    );
    await pushAll(
      world,
      ramp(801, 1500, (step) => step + 0.25),
      400,
      "events.2",
    );
    const runId = await pushAll(
      world,
      ramp(1301, 2000, (step) => step + 0.5),
      400,
      "events.3",
    );
    expect(await world.lines(runId)).toEqual([
      ["a1", null, false, 1, 800, 800],
      ["a1", null, true, 801, 1000, 200],
      ["a2", null, false, 801, 1300, 500],
      ["a2", null, true, 1301, 1500, 200],
      ["a3", null, false, 1301, 2000, 700],
    ]);
    for (const { x } of (await world.window(runId)).lines)
      expect(x.every((at, index) => index === 0 || at > (x[index - 1] ?? 0))).toBe(true);
  });

  it("takes two that write the same series in turn for two writers of one attempt", async () => {
    await using world = await createPushWorld();
    let runId = 0;
    for (let round = 0; round < 40; round++) {
      const steps = [round * 10 + 1, round * 10 + 10] as const;
      await world.push(buildPush({ source: "one", seq: round }, [{ metric: "loss", points: ramp(...steps, (step) => step) }]));
      runId = (
        await world.push(buildPush({ source: "two", seq: round }, [{ metric: "loss", points: ramp(...steps, (step) => step + 0.5) }]))
      ).runId;
    }
    expect(await world.lines(runId)).toEqual([
      ["a1", null, false, 1, 400, 400],
      ["a1", "2", false, 1, 400, 400],
    ]);
    expect(await world.store.records.runs.attempts(runId)).toHaveLength(1);
    // What was guessed to be an attempt has moved since: a reader starts afresh.
    expect((await world.rows<{ relabels: number }>("SELECT relabels FROM run"))[0]?.relabels).toBeGreaterThan(0);
    const { samples = [] } =
      (await world.store.samples.readSince({ runId, after: { arrival: 0, offset: 0 }, metrics: ["loss"], limit: 10_000 })) ?? {};
    expect(samples).toHaveLength(800);
    expect(new Set(samples.map(({ attempt }) => attempt))).toEqual(new Set(["a1"]));
  });

  it("takes along what was told of an attempt that turns out to be a writer", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "one", seq: 1 }, [{ metric: "loss", points: ramp(1, 10) }]));
    const told = { checkpoints: [{ step: 10 }], events: [{ kind: "eval", step: 10, text: "done" }], assignments: [{ rank: 0 }] };
    const guess = await world.push(
      buildPush({ source: "two", seq: 1, ...told }, [{ metric: "loss", points: ramp(1, 10, (step) => step + 0.5) }]),
    );
    expect(guess.attempt).toBe("a2");
    const { runId } = await world.push(buildPush({ source: "one", seq: 2 }, [{ metric: "loss", points: ramp(11, 20) }]));
    expect((await world.store.records.runs.checkpoints(runId, { nearStep: null, limit: 10 })).items).toMatchObject([
      { attempt: "a1", step: 10 },
    ]);
    expect(await world.rows("SELECT attempt FROM run_note UNION ALL SELECT attempt FROM assignment")).toEqual([
      { attempt: "a1" },
      { attempt: "a1" },
    ]);
  });

  it("takes the source's word for an attempt, also where steps overlap or leave a hole", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "s", seq: 1, attempt: "slurm-17" }, [{ metric: "loss", points: ramp(1, 100) }]));
    const { runId, attempt } = await world.push(
      buildPush({ source: "s", seq: 2, attempt: "slurm-18", events: [{ kind: "start", step: 90, text: "resumed from 90" }] }, [
        { metric: "loss", points: ramp(95, 120, (step) => step + 1) },
      ]),
    );
    expect(attempt).toBe("slurm-18");
    expect(await world.store.records.runs.attempts(runId)).toMatchObject([
      { name: "slurm-17", origin: "source" },
      { name: "slurm-18", origin: "source", parent: "slurm-17", branchStep: 90, firstStep: 95 },
    ]);
    expect(await world.lines(runId)).toEqual([
      ["slurm-17", null, false, 1, 90, 90],
      ["slurm-17", null, true, 91, 100, 10],
      ["slurm-18", null, false, 95, 120, 26],
    ]);
  });

  it("begins an attempt where the log says that it starts", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: ramp(1, 100) }]));
    const { runId, attempt } = await world.push(
      buildPush({ source: "s", seq: 2, events: [{ kind: "start", text: "launching" }] }, [{ metric: "loss", points: [[81, 0.5]] }]),
    );
    expect(attempt).toBe("a2");
    expect(await world.store.records.runs.attempts(runId)).toMatchObject([
      { name: "a1" },
      { name: "a2", origin: "marker", branchStep: 80 },
    ]);
  });

  it("A12: keeps thousands of points on step 0 in one attempt and says that the step is constant", async () => {
    await using world = await createPushWorld();
    const points = Array.from({ length: 5000 }, (_, index): [number, number, number] => [
      0,
      Math.sin(index),
      Date.UTC(2026, 0, 1) + index * 1000,
    ]);
    const runId = await pushAll(world, points, 1000);
    expect(await world.rows("SELECT step_is_constant, point_count FROM run")).toEqual([{ step_is_constant: true, point_count: 5000 }]);
    expect(await world.store.records.runs.attempts(runId)).toHaveLength(1);
    const { lines } = await world.store.samples.window({
      runId,
      metrics: ["loss"],
      attempts: "all",
      axis: "time",
      from: null,
      to: null,
      buckets: 512,
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.summary.points).toBe(5000);
    await pushAll(world, [[1, 1, Date.UTC(2026, 0, 2)]], 1, "moves");
    expect(await world.rows("SELECT step_is_constant FROM run")).toEqual([{ step_is_constant: false }]);
  });
});

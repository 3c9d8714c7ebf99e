import type { PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPushWorld, type PushWorld, ramp } from "./world.fixture.ts";

const T0 = Date.UTC(2026, 0, 1);
const attemptNames = async (world: PushWorld, runId: number): Promise<readonly string[]> =>
  (await world.rows<{ name: string }>(`SELECT name FROM attempt WHERE run_id = ${runId} ORDER BY ordinal`)).map(({ name }) => name);

/** Points as stored, whatever attempt: flagged as far or not. */
async function heads(world: PushWorld): Promise<unknown> {
  const rows = await world.rows<{ points: number; far: number; first: number; last: number }>(
    "SELECT points, far_points AS far, first_step AS first, last_step AS last FROM samples.head ORDER BY series_id, attempt_id",
  );
  return rows.map(({ points, far, first, last }) => [points, far, first, last]);
}

describe("columns of one series in one push", () => {
  const push = (...columns: readonly (readonly number[])[]): PushInput => ({
    source: "s",
    seq: 0,
    run: { project: "p", name: "r" },
    series: [{ metric: "loss" }],
    columns: columns.map((step) => ({ series: 0, step: [...step], value: step.map((at) => at / 10) })),
  });
  const odd = Array.from({ length: 50 }, (_, index) => 2 * index + 1);

  it.each<[string, PushInput]>([
    [
      "odd and even steps",
      push(
        odd,
        odd.map((step) => step + 1),
      ),
    ],
    ["chunks in order", push(odd.slice(0, 25), odd.slice(25))],
    ["chunks in the wrong order", push(odd.slice(25), odd.slice(0, 25))],
    ["chunks of unlike length", push(odd.slice(0, 3), odd.slice(3, 45), odd.slice(45))],
  ])("are one attempt of one writer: %s", async (_name, body) => {
    await using world = await createPushWorld();
    const { runId, accepted } = await world.push(body);
    expect(await world.lines(runId)).toEqual([["a1", null, false, 1, accepted === 100 ? 100 : 99, accepted]]);
    expect(await world.rows("SELECT id FROM series")).toHaveLength(1);
  });

  it("are a restart where the second says other values of the same steps", async () => {
    await using world = await createPushWorld();
    const body = push(odd, odd);
    const { runId } = await world.push({
      ...body,
      columns: (body.columns ?? []).map((each, index) => ({ ...each, value: each.value.map((value) => (value ?? 0) + index) })),
    });
    expect(await attemptNames(world, runId)).toEqual(["a1", "a2"]);
  });
});

describe("absurd steps", () => {
  it.each([
    ["second of all", [1, 1e9, 2, 3, 4, 5, 6, 7]],
    ["third of all", [1, 2, 1e9, 3, 4, 5, 6, 7]],
    ["first of all", [1e9, 1, 2, 3, 4, 5, 6, 7]],
    ["three in a row", [1, 2, 3, 4, 5, 1e9, 1e9 + 1, 1e9 + 2, 6, 7, 8]],
  ])("are taken back out of watermarks, %s, each in a push of its own and at once", async (_name, steps) => {
    const far = steps.filter((step) => step >= 1e9).length;
    for (const size of [1, 100]) {
      await using world = await createPushWorld();
      let runId = 0;
      for (let at = 0; at < steps.length; at += size)
        ({ runId } = await world.push(
          buildPush({ source: "s", seq: at }, [{ metric: "loss", points: steps.slice(at, at + size).map((step) => [step, step / 7]) }]),
        ));
      expect(await attemptNames(world, runId)).toEqual(["a1"]);
      expect(await heads(world)).toEqual([[steps.length, far, 1, steps.at(-1)]]);
      expect(await world.rows("SELECT last_step FROM run")).toEqual([{ last_step: steps.at(-1) }]);
      expect((await world.window(runId)).points).toBe(steps.length - far);
    }
  });

  it("that turn out to be where the run goes on are shown from the first, also once packed", async () => {
    await using world = await createPushWorld();
    const steps = [...Array.from({ length: 40 }, (_, index) => index), ...Array.from({ length: 6 }, (_, index) => 500_000 + index)];
    let runId = 0;
    for (const [seq, step] of steps.entries()) {
      ({ runId } = await world.push(buildPush({ source: "s", seq }, [{ metric: "loss", points: [[step, step]] }])));
      await world.store.samples.maintain();
    }
    expect(await heads(world)).toEqual([[46, 0, 0, 500_005]]);
    expect((await world.window(runId)).points).toBe(46);
  });

  it("leave cells that say what is left, where maintenance has folded them already", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "s", seq: 0 }, [{ metric: "loss", points: [...ramp(1, 2), ...ramp(1e9, 1e9 + 3)] }]));
    // As a full row would be: folded into cells of the level above.
    for (let seq = 1; seq < 20; seq++) await world.push(buildPush({ source: "s", seq }, [{ metric: "lr", points: [[seq, 1]] }]));
    await world.store.samples.maintain();
    const { runId } = await world.push(buildPush({ source: "s", seq: 20 }, [{ metric: "loss", points: ramp(3, 9) }]));
    await world.store.samples.maintain();
    const window = await world.window(runId);
    expect([window.points, window.lines[0]?.summary.max, window.lines.length]).toEqual([9, 9, 1]);
  });
});

describe("pushes that overtake each other", () => {
  it("make neither an attempt nor a writer, in whatever order a source's numbers come", { timeout: 120_000 }, async () => {
    await using world = await createPushWorld();
    let runs = 0;
    const delays = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(delays, fc.constantFrom(1, 10), async (late, size) => {
        const run = { project: "p", name: `r${runs++}` };
        const order = late.map((delay, seq) => ({ seq, at: seq + delay })).toSorted((a, b) => a.at - b.at || b.seq - a.seq);
        let runId = 0;
        for (const { seq } of order)
          ({ runId } = await world.push(
            buildPush({ source: run.name, seq, run }, [
              { metric: "loss", points: ramp(seq * size + 1, seq * size + size, Math.sin) },
              { metric: "grad_norm", points: ramp(seq * size + 1, seq * size + size, Math.cos) },
            ]),
          ));
        expect(await attemptNames(world, runId)).toEqual(["a1"]);
        expect(await world.lines(runId)).toEqual([["a1", null, false, 1, late.length * size, late.length * size]]);
      }),
      { numRuns: 25 },
    );
  });
});

describe("second writers", () => {
  it("leave no empty series behind", async () => {
    await using world = await createPushWorld();
    const pair = (step: number): [number, number][] => [
      [step, 1],
      [step, 2],
    ];
    await world.push(buildPush({ source: "s", seq: 0 }, [{ metric: "loss", points: [...ramp(1, 10), ...pair(11), [12, 0.5], [12, 0.6]] }]));
    await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: ramp(13, 60) }]));
    const empty = await world.rows(
      "SELECT id FROM series WHERE NOT EXISTS (SELECT FROM samples.head WHERE series_id = series.id AND points > 0)",
    );
    expect(empty).toEqual([]);
    const [counts] = await world.rows<{ said: number; there: string }>(
      "SELECT series_count AS said, (SELECT count(*) FROM series) AS there FROM run",
    );
    expect(counts?.said).toBe(Number(counts?.there));
  });

  it("are told from series that a source labels `writer` itself", async () => {
    await using world = await createPushWorld();
    const of = (writer: string, points: [number, number, number?][]) => ({ metric: "loss", labels: { writer }, points });
    const first = await world.push(buildPush({ source: "s", seq: 0 }, [of("1", ramp(1, 20)), of("2", ramp(1, 20))]));
    const second = await world.push(buildPush({ source: "t", seq: 0 }, [of("3", ramp(1, 20))]));
    expect([first.accepted, second.accepted, second.repeated]).toEqual([40, 20, 0]);
    // Our own second writer of the unlabelled series beside them.
    for (let round = 0; round < 10; round++)
      for (const source of ["one", "two"])
        await world.push(
          buildPush({ source, seq: round }, [
            { metric: "grad_norm", points: ramp(round * 10 + 1, round * 10 + 10, (step) => step + (source === "one" ? 0 : 0.5)) },
          ]),
        );
    await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "grad_norm", labels: { writer: "2" }, points: ramp(1, 5) }]));
    expect(await world.rows("SELECT labels FROM series WHERE metric = 'grad_norm' ORDER BY id")).toEqual([
      { labels: {} },
      { labels: { writer: "2" } },
      { labels: { writer: "2" } },
    ]);
  });

  it("of three sources that take turns stay writers of one attempt, whoever comes back first", async () => {
    for (const back of [
      ["b", "a", "c"],
      ["a", "b", "c"],
      ["b", "c", "a"],
    ]) {
      await using world = await createPushWorld();
      let runId = 0;
      const rounds = [["a", "b", "c"], ...Array.from({ length: 8 }, () => back)];
      for (const [round, sources] of rounds.entries())
        for (const source of sources)
          ({ runId } = await world.push(
            buildPush({ source, seq: round }, [
              { metric: "loss", points: ramp(round * 10 + 1, round * 10 + 10, (step) => step + source.charCodeAt(0) / 1000) },
            ]),
          ));
      expect(await attemptNames(world, runId)).toEqual(["a1"]);
      const lines = await world.lines(runId);
      expect(lines).toHaveLength(3);
      expect(lines.every((line) => Array.isArray(line) && line[5] === 90)).toBe(true);
    }
  });
});

describe("the run's last loss", () => {
  const lastLoss = async (world: PushWorld): Promise<unknown> =>
    (await world.rows<{ last_loss: number }>("SELECT last_loss FROM run"))[0]?.last_loss;

  it("is that of the training loss without labels, though other metrics are ahead and splits are newer", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "s", seq: 0 }, [{ metric: "grad_norm", points: ramp(1, 25) }]));
    await world.push(
      buildPush({ source: "s", seq: 1 }, [
        {
          metric: "train/loss",
          points: [
            [10, 3],
            [20, 2],
          ],
        },
      ]),
    );
    expect(await lastLoss(world)).toBe(2);
    await world.push(buildPush({ source: "s", seq: 2 }, [{ metric: "loss", labels: { split: "held-out" }, points: [[30, 9]] }]));
    await world.push(buildPush({ source: "s", seq: 3 }, [{ metric: "loss", labels: { rank: "3" }, points: [[30, 8]] }]));
    expect(await lastLoss(world)).toBe(2);
    await world.push(buildPush({ source: "late", seq: 0 }, [{ metric: "loss", points: [[15, 7]] }]));
    expect(await lastLoss(world)).toBe(2);
    await world.push(buildPush({ source: "s", seq: 4 }, [{ metric: "loss", points: [[30, 1]] }]));
    expect(await lastLoss(world)).toBe(1);
  });

  it("is that of the lowest rank where every rank logs its own", async () => {
    await using world = await createPushWorld();
    await world.push(
      buildPush(
        { source: "s", seq: 0 },
        ["10", "9", "2"].map((rank) => ({ metric: "loss", labels: { rank }, points: [[1, Number(rank)]] })),
      ),
    );
    expect(await lastLoss(world)).toBe(2);
  });
});

describe("what a push tells beside samples", () => {
  const told = async (world: PushWorld): Promise<unknown> =>
    (await world.rows<{ attempt: string; step: number }>("SELECT attempt, step FROM checkpoint ORDER BY attempt, step")).map(
      ({ attempt, step }) => `${attempt} ${step}`,
    );

  it("is of the attempt that its step or time belongs to, where the push holds a restart", async () => {
    for (const timed of [false, true]) {
      await using world = await createPushWorld();
      const points = [
        ...ramp(
          1,
          100,
          (step) => step,
          (step) => T0 + step * 1000,
        ),
        ...ramp(
          61,
          120,
          (step) => step + 0.5,
          (step) => T0 + 200_000 + step * 1000,
        ),
      ];
      const steps = [40, 80, 100, 80, 120];
      const offsets = [0, 0, 0, 200_000, 200_000];
      await world.push(
        buildPush(
          {
            source: "s",
            seq: 0,
            checkpoints: steps.map((step, index) => ({ step, ...(timed ? { savedAtMs: T0 + step * 1000 + (offsets[index] ?? 0) } : {}) })),
            events: [{ kind: "eval", step: 30, text: "x" }],
          },
          [{ metric: "loss", points: timed ? points : points.map(([step, value]) => [step, value]) }],
        ),
      );
      expect(await told(world)).toEqual(
        ["a1 40", "a1 80", "a1 100", "a2 80", "a2 120"].toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })),
      );
      expect(await world.rows("SELECT attempt FROM run_note")).toEqual([{ attempt: "a1" }]);
    }
  });

  it("about a checkpoint from before a restart is of the attempt that saved it", async () => {
    await using world = await createPushWorld();
    await world.push(buildPush({ source: "s", seq: 0, checkpoints: [{ step: 50 }] }, [{ metric: "loss", points: ramp(1, 100) }]));
    await world.push(buildPush({ source: "s", seq: 1 }, [{ metric: "loss", points: ramp(51, 80, (step) => step + 0.5) }]));
    await world.push(buildPush({ source: "s", seq: 2, checkpoints: [{ step: 50, state: "verified" }, { step: 80 }] }, []));
    expect(await world.rows("SELECT attempt, step, state FROM checkpoint ORDER BY step")).toEqual([
      { attempt: "a1", step: 50, state: "verified" },
      { attempt: "a2", step: 80, state: "unchecked" },
    ]);
  });

  it("is stored once when a log of an earlier attempt is sent again from another source", async () => {
    await using world = await createPushWorld();
    const log = (source: string, value: number, from: number, to: number): PushInput =>
      buildPush(
        {
          source,
          seq: 0,
          checkpoints: [{ step: to }],
          events: [{ kind: "eval", step: to, text: "done" }],
          assignments: [{ rank: 0, node: `n${value}` }],
        },
        [
          { metric: "loss", points: ramp(from, to, (step) => value + step / 1000) },
          { metric: "learning_rate", points: ramp(from, to, () => 0.0003) },
          { metric: "eval_loss", points: [[to, value]] },
        ],
      );
    const { runId } = await world.push(log("checkpoint-100/trainer_state.json", 3, 1, 100));
    await world.push(log("resumed.json", 2, 51, 120));
    const all = async (): Promise<unknown> =>
      Promise.all([
        attemptNames(world, runId),
        heads(world),
        world.rows("SELECT attempt, step, kind FROM checkpoint ORDER BY 1, 2"),
        world.rows("SELECT attempt, step, text FROM run_note ORDER BY 1, 2"),
        world.rows("SELECT attempt, rank, node FROM assignment ORDER BY 1, 2"),
        world.rows("SELECT point_count, series_count, last_loss, last_step FROM run"),
      ]);
    const before = await all();
    expect(await world.push(log("another copy", 3, 1, 100))).toMatchObject({ accepted: 0, repeated: 201, attempt: "a1" });
    expect(await world.push(log("copy of the resumed", 2, 51, 120))).toMatchObject({ accepted: 0, repeated: 141, attempt: "a2" });
    expect(await all()).toEqual(before);
  });
});

describe("names and labels of any length that is allowed", () => {
  it("are stored, and tell series apart", async () => {
    await using world = await createPushWorld();
    const random = (length: number, salt: number): string =>
      Array.from({ length }, (_, index) => String.fromCharCode(0x4e00 + ((index * 7919 + salt * 104_729) % 20_000))).join("");
    const labels = (salt: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [random(64, index), random(256, index + salt)]));
    const push = (seq: number, salt: number): PushInput =>
      buildPush({ source: random(256, 1), seq, run: { project: random(256, 2), name: random(256, 3) } }, [
        { metric: random(256, 4), labels: labels(salt), points: [[seq, 1]] },
      ]);
    for (const [seq, salt] of [1, 1, 2].entries()) expect(await world.push(push(seq, salt))).toMatchObject({ accepted: 1 });
    expect(await world.rows("SELECT id FROM series")).toHaveLength(2);
  });
});

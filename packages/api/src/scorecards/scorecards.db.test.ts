import type { EvalRecordInput } from "@trainwatch/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVerbBench, seedRun, type VerbBench } from "../fixtures/verb-bench.ts";
import { importRecords, refusalOf } from "../releases/release-world.fixture.ts";

const measure = (model: string, step: number | null, value: number): EvalRecordInput => ({
  kind: "measure",
  subject: { model, step },
  task: "gsm8k",
  metric: "exact_match",
  value,
  stderr: 0.01,
  n: 2_000,
});

describe("scorecards", () => {
  let bench: VerbBench;
  beforeEach(async () => {
    bench = await createVerbBench();
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const checkpointAt = async (runId: number, step: number): Promise<number> => {
    const { rows } = await bench.store.pool.query<{ id: number }>("SELECT id FROM checkpoint WHERE run_id = $1 AND step = $2", [
      runId,
      step,
    ]);
    return rows[0]?.id ?? 0;
  };

  it("are attached by hand to a checkpoint, and are then of its run and step", async () => {
    const runId = await seedRun(bench.store);
    const { scorecards } = await importRecords(bench, "a", [measure("final", null, 0.5), measure("m", 900, 0.4)]);
    const [final, stepped] = scorecards.map(({ scorecardId }) => scorecardId).sort((a, b) => a - b);
    const attached = await bench.as("operate").scorecards.attach({ scorecardId: final ?? 0, checkpointId: await checkpointAt(runId, 500) });
    expect(attached).toMatchObject({ model: "final", step: 500, run: { runId, name: "run" } });
    expect((await bench.as("read").scorecards.list({ runId })).items.map(({ model }) => model)).toEqual(["final"]);
    expect(
      await refusalOf(bench.as("operate").scorecards.attach({ scorecardId: stepped ?? 0, checkpointId: await checkpointAt(runId, 500) })),
    ).toMatch(/^bad-request: m was evaluated at step 900, and checkpoint \d+ is of step 500/);
    expect(await refusalOf(bench.as("operate").scorecards.attach({ scorecardId: 999_999, checkpointId: 1 }))).toMatch(
      /^not-found: There is no scorecard/,
    );
    expect(await refusalOf(bench.as("operate").scorecards.attach({ scorecardId: final ?? 0, checkpointId: 999_999 }))).toMatch(
      /^not-found: There is no checkpoint/,
    );
    const { rows } = await bench.store.pool.query("DELETE FROM checkpoint WHERE step = 500 RETURNING id");
    expect(rows).toHaveLength(1);
    expect(await bench.as("read").scorecards.get({ scorecardId: final ?? 0 })).toMatchObject({
      run: null,
      step: null,
      checkpointId: null,
      results: 1,
    });
  });

  it("are not attached to a checkpoint of another run than the one they were imported for", async () => {
    const runId = await seedRun(bench.store);
    const { scorecards } = await importRecords(bench, "a", [measure("final", null, 0.5)], { run: { project: "p", name: "other" } });
    const scorecardId = scorecards[0]?.scorecardId ?? 0;
    const checkpointId = await checkpointAt(runId, 500);
    expect(await refusalOf(bench.as("operate").scorecards.attach({ scorecardId, checkpointId }))).toMatch(
      /^bad-request: The results of final were imported for another run/,
    );
  });

  it("are searched by model, run and path as text, in pages", async () => {
    await importRecords(
      bench,
      "a",
      Array.from({ length: 25 }, (_, index) => measure(`llama_${index}`, null, index / 100)),
    );
    await importRecords(bench, "b", [measure("x", 7, 0.1)], { run: { project: "p", name: "pythia-160m" } });
    const first = await bench.as("read").scorecards.list({ query: "LLAMA", limit: 20 });
    expect([first.total, first.items.length]).toEqual([25, 20]);
    expect((await bench.as("read").scorecards.list({ query: "LLAMA", limit: 20, cursor: first.next })).items).toHaveLength(5);
    expect((await bench.as("read").scorecards.list({ query: "pythia" })).items).toMatchObject([{ model: "x", step: 7, results: 1 }]);
    expect((await bench.as("read").scorecards.list({ query: "llama%" })).total).toBe(0);
    expect(await refusalOf(bench.as("read").scorecards.get({ scorecardId: 999_999 }))).toMatch(/^not-found: There is no scorecard/);
    expect(await refusalOf(bench.as("read").scorecards.list({ cursor: "nonsense" }))).toMatch(/^bad-request: The cursor/);
  });

  it("of a run make trends over its steps, each with its peak", async () => {
    const values = [0.3, 0.42, 0.5, 0.55, 0.52, 0.44, 0.36];
    await importRecords(
      bench,
      "a",
      values.map((value, index) => measure("m", 1_000 * (index + 1), value)),
      { run: { project: "p", name: "rl" } },
    );
    const runId = (await bench.store.records.runs.idOf("p", "rl")) ?? 0;
    const [trend] = await bench.as("read").scorecards.trend({ runId });
    expect(trend?.points.map(({ step, value }) => [step, value])).toEqual(values.map((value, index) => [1_000 * (index + 1), value]));
    expect(trend?.peak).toMatchObject({ step: 4_000, isLast: false });
    expect((await bench.store.records.scorecards.trendPoints(runId)).map(({ step }) => step)).toEqual(
      values.map((_, index) => 1_000 * (index + 1)),
    );
    expect(await bench.as("read").scorecards.trend({ runId: await seedRun(bench.store) })).toEqual([]);
    expect(await refusalOf(bench.as("read").scorecards.trend({ runId: 999_999 }))).toMatch(/^not-found: There is no run/);
  });
});

import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding } from "../fixtures/verb-bench.ts";
import { MARKS_LIMIT } from "../marks-limit.ts";

const MANY = MARKS_LIMIT + 500;

describe("a run with more marks than an answer holds", () => {
  it("gives the checkpoints of the newest steps and says how many there are, on the run and in the list", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    await bench.store.pool.query("DELETE FROM checkpoint");
    await bench.store.pool.query(
      "INSERT INTO checkpoint (run_id, attempt, step, kind, state, created_at_ms) SELECT $1, 'a1', n, 'model', 'verified', 0 FROM generate_series($2::int, 1, -1) n",
      [runId, MANY],
    );
    const reader = bench.as("read");
    const run = await reader.runs.get({ runId });
    expect([run.checkpoints.length, run.checkpointTotal]).toEqual([MARKS_LIMIT, MANY]);
    expect([run.checkpoints[0]?.step, run.checkpoints.at(-1)?.step]).toEqual([501, MANY]);
    const { items, total } = await reader.checkpoints.list({ runId, limit: 3 });
    expect([items.map(({ step }) => step), total]).toEqual([[MANY - 2, MANY - 1, MANY], MANY]);
  });

  it("weighs and shows the checkpoints nearest to the onset, however many came after it", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId);
    await bench.store.pool.query(
      "INSERT INTO checkpoint (run_id, attempt, step, kind, state, created_at_ms) SELECT $1, 'a1', 3000 + n, 'model', 'verified', 0 FROM generate_series(1, $2::int) n",
      [runId, MANY],
    );
    const advice = await bench.as("operate").advice.propose({ incidentId });
    expect(advice).toMatchObject({ action: "rollback", checkpointStep: 900 });
    const shown = await bench.as("read").incidents.get({ incidentId });
    expect([shown.checkpoints.length, shown.checkpointTotal]).toEqual([MARKS_LIMIT, MANY + 2]);
    expect(shown.checkpoints.slice(0, 3).map(({ step }) => step)).toEqual([500, 900, 3001]);
  });

  it("gives the newest findings by detection and the newest notes, and says how many there are", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    for (const step of [10, 30, 20])
      await bench.store.records.findings.upsert(runId, spikeFinding({ id: `f${step}`, severity: "info", detectedStep: step }), null, 0);
    await bench.store.pool.query(
      "INSERT INTO run_note (run_id, kind, attempt, text, created_at_ms) SELECT $1, 'eval', 'a1', 'n ' || n, 0 FROM generate_series(1, $2::int) n",
      [runId, MANY],
    );
    const reader = bench.as("read");
    const cut = await reader.findings.list({ runId, limit: 2 });
    expect([cut.items.map(({ detectedStep }) => detectedStep), cut.total]).toEqual([[20, 30], 3]);
    const whole = await reader.findings.list({ runId });
    expect([whole.items.length, whole.total]).toEqual([3, 3]);
    const run = await reader.runs.get({ runId });
    expect([run.notes.length, run.noteTotal, run.notes.at(-1)?.text]).toEqual([MARKS_LIMIT, MANY, `n ${MANY}`]);
  });
});

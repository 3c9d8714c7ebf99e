import type { PushInput } from "@trainwatch/core";
import { buildPush } from "@trainwatch/testkit";
import { describe, expect, it } from "vitest";
import { createVerbBench, seedIncident, seedRun, spikeFinding } from "../fixtures/verb-bench.ts";

const MINUTE_MS = 60_000;

function losses(source: string, from: number, to: number, given: Partial<PushInput> = {}): PushInput {
  const points = Array.from({ length: to - from + 1 }, (_, index): [number, number, number] => [from + index, 2, (from + index) * 1_000]);
  return buildPush({ source, seq: from, run: { project: "p", name: source }, ...given }, [{ metric: "loss", points }]);
}

describe("runs.list", () => {
  it("shows the newest movement first, a page at a time, each run once", async () => {
    await using bench = await createVerbBench();
    for (const name of ["a", "b", "c", "d", "e"]) {
      bench.clock.advance(MINUTE_MS);
      await bench.as("ingest").ingest.push(losses(name, 1, 3));
    }
    const reader = bench.as("read");
    const first = await reader.runs.list({ limit: 2 });
    const second = await reader.runs.list({ limit: 2, cursor: first.next });
    const third = await reader.runs.list({ limit: 2, cursor: second.next });
    expect([first, second, third].map(({ items }) => items.map(({ name }) => name))).toEqual([["e", "d"], ["c", "b"], ["a"]]);
    expect([first.total, second.total, third.next]).toEqual([5, 5, null]);
    expect(first.items[0]).toMatchObject({
      state: "running",
      attempt: "a1",
      lastStep: 3,
      lastLoss: 2,
      lastSampleAtMs: 3_000,
      watched: false,
      worst: null,
    });
  });

  it.each([
    ["part of a name in any case", "LLM", ["llm_7b", "llm%7b"]],
    ["project and name together", "test/llm", ["llm_7b", "llm%7b"]],
    ["a percent sign as it is", "m%7", ["llm%7b"]],
    ["an underscore as it is", "m_7", ["llm_7b"]],
    ["nothing that fits", "gpt", []],
  ])("finds %s", async (_what, search, names) => {
    await using bench = await createVerbBench();
    for (const name of ["llm_7b", "llm%7b", "vision"]) await seedRun(bench.store, name);
    const { items, total } = await bench.as("read").runs.list({ search });
    expect(items.map(({ name }) => name).sort()).toEqual([...names].sort());
    expect(total).toBe(names.length);
  });

  it("filters by state, and keeps archived runs apart", async () => {
    await using bench = await createVerbBench();
    await bench.as("ingest").ingest.push(losses("live", 1, 3));
    await bench.as("ingest").ingest.push(losses("done", 1, 3, { ended: "finished" }));
    const operator = bench.as("operate");
    expect((await operator.runs.list({ states: ["finished"] })).items.map(({ name }) => name)).toEqual(["done"]);
    await operator.runs.archive({ runId: 2 });
    expect((await operator.runs.list({})).items.map(({ name }) => name)).toEqual(["live"]);
    expect((await operator.runs.list({ archived: true })).items).toEqual([
      expect.objectContaining({ name: "done", archivedAtMs: bench.clock.now() }),
    ]);
  });

  it("names the worst open incident of each run, and none that is resolved", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const warning = await seedIncident(bench.store, runId, spikeFinding({ id: "f1", severity: "warning" }));
    const critical = await seedIncident(bench.store, runId, spikeFinding({ id: "f2", severity: "critical" }));
    const worst = async () => (await bench.as("read").runs.list({})).items[0]?.worst;
    expect(await worst()).toMatchObject({ severity: "critical", incidentId: critical, state: "ongoing" });
    await bench.as("operate").incidents.resolve({ incidentId: critical });
    expect(await worst()).toMatchObject({ severity: "warning", incidentId: warning });
  });

  it("names of two incidents that are equally bad the newer, wherever they lie in the table, and none of an attempt that is over", async () => {
    await using bench = await createVerbBench();
    const { store } = bench;
    const runId = await seedRun(store);
    const warning = (id: string) => spikeFinding({ id, severity: "warning", state: "ongoing" });
    const older = await seedIncident(store, runId, warning("older"));
    const newer = await seedIncident(store, runId, warning("newer"));
    // A row that is written anew goes behind the others, and comes last where nobody asks for an order.
    await store.pool.query("UPDATE incident SET updated_at_ms = 1 WHERE id = $1", [older]);
    const told = async () => (await bench.as("read").runs.list({})).items[0];
    expect(await told()).toMatchObject({ worst: { incidentId: newer }, openOfEarlier: 0 });
    await store.pool.query(
      "INSERT INTO attempt (run_id, ordinal, name, parent, origin, first_step, last_step) VALUES ($1, 0, 'a0', NULL, 'first', 1, 10)",
      [runId],
    );
    await store.pool.query("UPDATE incident SET attempt = 'a0' WHERE id = $1", [newer]);
    expect(await told()).toMatchObject({ worst: { incidentId: older }, openOfEarlier: 1 });
  });

  it.each(["not-a-cursor", "W10", Buffer.from('["x",{}]').toString("base64url")])("refuses the cursor %j", async (cursor) => {
    await using bench = await createVerbBench();
    await expect(bench.as("read").runs.list({ cursor })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });

  it("A13: lists 500 runs without touching series or samples, and pages through 10,000 metric keys", async () => {
    await using bench = await createVerbBench();
    await bench.store.pool.query(
      "INSERT INTO run (project, name, created_at_ms) SELECT 'many', 'run-' || n, n FROM generate_series(1, 500) n",
    );
    await bench.store.pool.query(
      "INSERT INTO series (run_id, metric, source_name, labels, labels_key) SELECT 1, 'layer.' || lpad(n::text, 5, '0') || '.norm', 'x', '{}', '' FROM generate_series(1, 10000) n",
    );
    const reader = bench.as("read");
    const first = await reader.runs.metrics({ runId: 1, limit: 200 });
    expect([first.total, first.items.length, first.items[0]?.metric]).toEqual([10_000, 200, "layer.00001.norm"]);
    const next = await reader.runs.metrics({ runId: 1, limit: 200, cursor: first.next });
    expect(next.items[0]?.metric).toBe("layer.00201.norm");
    expect((await reader.runs.metrics({ runId: 1, search: "0777" })).items.map(({ metric }) => metric)).toEqual(
      ["layer.00777.norm", ...Array.from({ length: 10 }, (_, index) => `layer.0777${index}.norm`)].sort(),
    );

    // What is not there cannot be read.
    await bench.store.pool.query("ALTER TABLE series RENAME TO series_gone");
    await bench.store.pool.query("ALTER SCHEMA samples RENAME TO samples_gone");
    const page = await reader.runs.list({ search: "run-4", limit: 50 });
    expect([page.total, page.items.length]).toEqual([111, 50]);
  });
});

describe("runs.get", () => {
  it("tells attempts with what later ones have replaced, checkpoints, notes and where the run stands", async () => {
    await using bench = await createVerbBench();
    const agent = bench.as("ingest");
    await agent.ingest.push(
      losses("r", 1, 100, {
        attempt: "a1",
        checkpoints: [{ step: 50, state: "verified" }],
        events: [{ kind: "overflow", step: 7, text: "skipped" }],
      }),
    );
    await agent.ingest.push(losses("r", 51, 80, { attempt: "a2", seq: 900 }));
    const run = await bench.as("read").runs.get({ runId: 1 });
    expect(run.attempts).toEqual([
      expect.objectContaining({ name: "a1", firstStep: 1, lastStep: 100, superseded: [{ fromStep: 51, toStep: 100 }] }),
      expect.objectContaining({ name: "a2", parent: "a1", branchStep: 50, firstStep: 51, lastStep: 80, superseded: [] }),
    ]);
    expect(run).toMatchObject({
      state: "running",
      checkpoints: [{ attempt: "a1", step: 50, state: "verified" }],
      notes: [expect.objectContaining({ kind: "overflow", step: 7, text: "skipped" })],
      seriesCount: 1,
      pointCount: 130,
      stepIsConstant: false,
    });
  });

  it("offers the axes that the run has, and says what the others lack", async () => {
    await using bench = await createVerbBench();
    await bench.as("ingest").ingest.push(
      buildPush({ source: "r", seq: 0 }, [
        {
          metric: "loss",
          points: [
            [1, 2],
            [2, 2],
          ],
        },
      ]),
    );
    const axes = async () => (await bench.as("read").runs.get({ runId: 1 })).axes.map(({ axis, available }) => [axis, available]);
    expect(await axes()).toEqual([
      ["step", true],
      ["tokens", false],
      ["time", false],
    ]);
    const { axes: told } = await bench.as("read").runs.get({ runId: 1 });
    expect(told.map(({ why }) => why)).toEqual([
      null,
      expect.stringContaining("tokensPerStep"),
      expect.stringContaining("no point of the run has a time"),
    ]);
    await bench.as("operate").runs.setMetadata({ runId: 1, tokensPerStep: 4_096 });
    await bench.as("ingest").ingest.push(losses("other", 3, 4, { run: { project: "test", name: "run" } }));
    expect(await axes()).toEqual([
      ["step", true],
      ["tokens", true],
      ["time", true],
    ]);
  });

  it("A10: keeps a stretch when the axis is switched, there and back", async () => {
    await using bench = await createVerbBench();
    await bench.as("ingest").ingest.push(losses("r", 1, 400, { metadata: { tokensPerStep: 1_000 } }));
    const convert = (fromAxis: "step" | "tokens" | "time", toAxis: "step" | "tokens" | "time", from: number | null, to: number | null) =>
      bench.as("read").runs.convertRange({ runId: 1, fromAxis, toAxis, from, to });
    expect(await convert("step", "time", 150, 250)).toEqual({ from: 150_000, to: 250_000 });
    expect(await convert("time", "tokens", 150_000, 250_000)).toEqual({ from: 150_000, to: 250_000 });
    expect(await convert("tokens", "step", 150_000, null)).toEqual({ from: 150, to: null });
  });
});

describe("runs.setMetadata", () => {
  it("changes what is named, takes back what is null, and leaves the rest", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const operator = bench.as("operate");
    await operator.runs.setMetadata({ runId, gpus: 512, tokensPerStep: 1e6, cluster: "east" });
    await operator.runs.setMetadata({ runId, gpus: null, targetSteps: 10_000 });
    expect((await operator.runs.get({ runId })).metadata).toEqual({
      gpus: null,
      tokensPerStep: 1e6,
      targetSteps: 10_000,
      checkpointEvery: null,
      cluster: "east",
    });
  });

  it.each([{ gpus: 0 }, { gpus: 1.5 }, { tokensPerStep: -1 }, { cluster: "" }, {}])("refuses %j", async (given) => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    await expect(bench.as("operate").runs.setMetadata({ runId, ...given })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  });
});

describe("runs.delete", () => {
  it("takes the run with its samples, incidents and decisions, for who gives its name, and the audit outlives it", async () => {
    await using bench = await createVerbBench();
    await bench.as("ingest").ingest.push(losses("r", 1, 50));
    await seedIncident(bench.store, 1);
    const admin = bench.as("admin");
    await expect(admin.runs.delete({ runId: 1, confirmName: "R" })).rejects.toMatchObject({
      code: "BAD_REQUEST",
      message: expect.stringContaining("give its name exactly: r"),
    });
    expect((await admin.runs.get({ runId: 1 })).pointCount).toBe(50);

    await admin.runs.delete({ runId: 1, confirmName: "r" });
    await expect(admin.runs.get({ runId: 1 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const { rows } = await bench.store.pool.query(
      "SELECT (SELECT count(*)::int FROM samples.block) AS blocks, (SELECT count(*)::int FROM incident) AS incidents, (SELECT count(*)::int FROM finding) AS findings",
    );
    expect(rows).toEqual([{ blocks: 0, incidents: 0, findings: 0 }]);
    expect((await admin.audit.list({ target: "run:1" })).items).toEqual([
      expect.objectContaining({ verb: "runs.delete", details: { run: "p/r", points: 50 } }),
    ]);
  });
});

describe("overview and status", () => {
  it("say what needs somebody now, and how the system stands", async () => {
    await using bench = await createVerbBench();
    const runId = await seedRun(bench.store);
    const incidentId = await seedIncident(bench.store, runId);
    await seedIncident(bench.store, runId, spikeFinding({ id: "f2", severity: "warning" }));
    await bench.as("ingest").ingest.push(losses("r", 1, 60));
    const reader = bench.as("read");
    const overview = await reader.overview.get();
    expect(overview.incidents.map(({ id }) => id)[0]).toBe(incidentId);
    // Two incidents on one run burn its 100 GPUs once.
    expect(overview.openTotals).toMatchObject({ total: 2, burning: 2, gpuHoursPerHour: 100 });
    expect(overview.runs.map(({ name }) => name).sort()).toEqual(["r", "run"]);
    expect(overview.newestVerifiedCheckpoint).toMatchObject({ run: "test/run", step: 500 });
    expect(await reader.status.get()).toMatchObject({
      nowMs: bench.clock.now(),
      version: "0.0.0",
      lastHour: { accepted: 60, repeated: 0, refused: 0 },
      openIncidents: { critical: 1, warning: 1, info: 0 },
      runsActive: 2,
      demo: false,
    });
  });

  it("say that nothing has come yet, rather than that all is well", async () => {
    await using bench = await createVerbBench();
    expect(await bench.as("read").status.get()).toMatchObject({
      newestSampleAtMs: null,
      newestRunSampleAtMs: null,
      samplesPerSecond: 0,
      runsActive: 0,
      detectLagMs: null,
    });
    expect(await bench.as("read").overview.get()).toEqual({
      incidents: [],
      openTotals: {
        total: 0,
        untaken: 0,
        burning: 0,
        gpuHoursPerHour: 0,
        rateUnknown: { noGpus: 0, silent: 0 },
        gpuHoursSoFar: 0,
        costUnknown: 0,
      },
      runs: [],
      recent: [],
      gpusWatched: null,
      newestVerifiedCheckpoint: null,
    });
  });
});

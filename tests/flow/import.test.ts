import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readConfig, start } from "@trainwatch/server";
import type { RunningServer } from "@trainwatch/server";
import { LOG_WRITERS, completePlan, simulateRun } from "@trainwatch/simulate";
import type { PlanInput } from "@trainwatch/simulate";
import { createTestDatabase } from "@trainwatch/testkit";
import type { TestDatabase } from "@trainwatch/testkit";
import { createTRPCClient, httpLink } from "@trpc/client";
import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "@trainwatch/api";
import type { RunSummary } from "@trainwatch/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importLogs } from "../../apps/cli/src/commands/import.ts";
import { runCli } from "../../apps/cli/src/frame/run-cli.ts";
import { createTestIo } from "../../apps/cli/src/frame/test-io.fixture.ts";

const ADMIN_TOKEN = "admin-token-of-this-test-only";

let database: TestDatabase;
let server: RunningServer;
let folder = "";
let url = "";
let admin: TRPCClient<AppRouter>;
let ingestToken = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-import-"));
  database = await createTestDatabase();
  server = await start(
    readConfig({ databaseUrl: database.url, port: 0, adminToken: ADMIN_TOKEN, logLevel: "silent", roles: ["serve"] }, {}),
  );
  url = server.url ?? "";
  admin = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })] });
  ingestToken = (await admin.tokens.create.mutate({ name: "importer", scopes: ["ingest"] })).secret;
});
afterAll(async () => {
  await server.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const PLAN: PlanInput = {
  seed: 11,
  steps: 9_000,
  checkpointEvery: 500,
  faults: [{ kind: "restart", step: 4_000, resumeFrom: 3_500, downtimeS: 60, reason: "node lost" }],
};

async function logFile(name: string, plan: PlanInput): Promise<string> {
  const writer = LOG_WRITERS.find((candidate) => candidate.id === "megatron") ?? LOG_WRITERS[0];
  const path = join(folder, name);
  await writeFile(path, [...simulateRun(plan)].map((event) => writer.write(event, completePlan(plan))).join(""));
  return path;
}

async function run(
  argv: readonly string[],
  token = ingestToken,
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  return { code: await runCli(["import", ...argv, "--url", url, "--token", token], [importLogs], io), ...io.written };
}

async function summaryOf(name: string): Promise<RunSummary> {
  const { items } = await admin.runs.list.query({ search: name });
  const [found] = items;
  if (found === undefined) throw new Error(`${name} is not on the server`);
  return found;
}

describe("trainwatch import", () => {
  it("brings points, attempts, checkpoints and facts of a log to the server, and a second time nothing new", async () => {
    const path = await logFile("whole.log", PLAN);
    const first = await run([path, "--run", "lab/whole", "--gpus", "512", "--ended", "finished"]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(/^lab\/whole: 95,000 accepted, 0 repeated, 0 refused.* · http:.*\/runs\/\d+\n$/);
    const { id, metadata, lastStep, state } = await summaryOf("lab/whole");
    const detail = await admin.runs.get.query({ runId: id });
    expect({ metadata, lastStep, state }).toMatchObject({
      metadata: { gpus: 512, tokensPerStep: 4_194_304, targetSteps: 9_000 },
      lastStep: 9_000,
      state: "finished",
    });
    expect(detail.pointCount).toBe(95_000);
    expect(detail.zoneAssumed).toBe(true);
    expect(detail.attempts.map((attempt) => [attempt.name, attempt.firstStep, attempt.lastStep, attempt.branchStep])).toEqual([
      ["a1", 1, 4_000, null],
      ["a2", 3_501, 9_000, 3_500],
    ]);
    expect(detail.checkpoints.filter((checkpoint) => checkpoint.attempt === "a2").map((checkpoint) => checkpoint.step)).toEqual([
      4_000, 4_500, 5_000, 5_500, 6_000, 6_500, 7_000, 7_500, 8_000, 8_500, 9_000,
    ]);

    expect(await run([path, "--run", "lab/whole", "--gpus", "512", "--ended", "finished"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^lab\/whole: 0 accepted, 95,000 repeated, 0 refused/),
    });
    const again = await admin.runs.get.query({ runId: id });
    expect([again.pointCount, again.attempts.length, again.seriesCount]).toEqual([
      detail.pointCount,
      detail.attempts.length,
      detail.seriesCount,
    ]);
  });

  it("says again that a run has ended when another log had set it back to running", async () => {
    const first = await logFile("first.log", PLAN);
    const second = join(folder, "second.jsonl");
    await writeFile(second, '{"step":20001,"loss":2.1}\n{"step":20002,"loss":2.1}\n');
    for (const path of [first, second, second])
      expect(await run([path, "--run", "lab/ended", "--ended", "finished"])).toMatchObject({ code: 0 });
    expect((await summaryOf("lab/ended")).state).toBe("finished");
  });

  it("goes on where it left off when a live log has grown, without a second attempt", async () => {
    const path = await logFile("live.log", { ...PLAN, steps: 4_000, faults: [] });
    const whole = await readFile(path, "utf8");
    const lines = whole.split("\n");
    await writeFile(
      path,
      `${lines
        .slice(
          0,
          lines.findIndex((line) => line.includes("iteration     3011/")),
        )
        .join("\n")}\n`,
    );
    await run([path]);
    await writeFile(path, whole);
    expect((await run([path])).out).toMatch(/^default\/live: 9,900 accepted, 30,100 repeated, 0 refused/);
    const { id } = await summaryOf("default/live");
    const detail = await admin.runs.get.query({ runId: id });
    expect([detail.attempts.length, detail.pointCount]).toEqual([1, 40_000]);
  });

  it("takes a later trainer state for the earlier one and more", async () => {
    const state = async (name: string, steps: number): Promise<string> => {
      const path = join(folder, name);
      const history = Array.from({ length: steps / 10 }, (_, index) => ({
        step: 10 * (index + 1),
        loss: 2 + Math.sin(index),
        learning_rate: 0.001,
      }));
      await writeFile(path, JSON.stringify({ global_step: steps, max_steps: 900, log_history: history }));
      return path;
    };
    await run([await state("early.json", 300), "--run", "lab/state"]);
    expect((await run([await state("late.json", 600), "--run", "lab/state"])).out).toMatch(
      /^lab\/state: 60 accepted, 60 repeated, 0 refused/,
    );
    const { id } = await summaryOf("lab/state");
    const detail = await admin.runs.get.query({ runId: id });
    expect([detail.attempts.length, detail.pointCount]).toEqual([1, 120]);
  });

  it("names each file's run after it, in the default project", async () => {
    await run([await logFile("alone.log", { ...PLAN, steps: 200, faults: [] })]);
    expect(await summaryOf("default/alone")).toMatchObject({ project: "default", name: "alone", lastStep: 200 });
  });

  it("stores nothing of a file without a measurement, and all of the whole one beside it", async () => {
    const good = await logFile("beside.log", { ...PLAN, steps: 300, faults: [] });
    const cut = join(folder, "cut.json");
    await writeFile(cut, '{"global_step": 20, "max_steps": 90, "log_history": []}');
    const { code, err } = await run([good, cut]);
    expect(code).toBe(2);
    expect(err).toMatch(/cut\.json: .*holds no measurement/);
    expect(await summaryOf("beside")).toMatchObject({ lastStep: 300 });
    expect((await admin.runs.list.query({ search: "cut" })).items).toEqual([]);
  });

  it("brings what came before of a gzip that is cut, says where, and takes the rest once it is whole", async () => {
    const whole = Array.from(
      { length: 4_000 },
      (_, step) => `{"step":${step},"loss":${(2 + ((step * 7_919) % 9_973) / 10_007).toFixed(12)}}\n`,
    ).join("");
    const path = join(folder, "broken.jsonl.gz");
    const packed = gzipSync(whole);
    await writeFile(path, packed.subarray(0, Math.floor(packed.length / 2)));
    const cut = await run([path, "--json"]);
    expect(cut.code).toBe(2);
    expect(cut.err).toMatch(
      /^trainwatch: \S+broken\.jsonl\.gz: the gzip stream ends early after [\d,]+ unpacked bytes; .*copy the file again/,
    );
    const { accepted } = JSON.parse(cut.out).runs[0].inputs[0];
    expect(accepted).toBeGreaterThan(1_000);
    const { id, lastStep } = await summaryOf("default/broken");
    // The half line at the cut is no measurement.
    expect(lastStep).toBe(accepted - 1);

    await writeFile(path, packed);
    expect(await run([path])).toMatchObject({ code: 0, err: "" });
    const detail = await admin.runs.get.query({ runId: id });
    expect([detail.pointCount, detail.attempts.length]).toEqual([4_000, 1]);
    const [line] = (await admin.series.window.query({ runId: id, metrics: ["loss"] })).lines;
    expect(line?.count.reduce((sum, count) => sum + count, 0)).toBe(4_000);
  });

  it("is refused with a wrong token, and with one that may not ingest, in one sentence that says what to do", async () => {
    const path = await logFile("refused.log", { ...PLAN, steps: 50, faults: [] });
    const wrong = await run([path], "tw_wrong");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/^trainwatch: http:\S+: .*Check --token or TRAINWATCH_TOKEN\.\n$/);
    const reader = await admin.tokens.create.mutate({ name: "reader", scopes: ["read"] });
    const forbidden = await run([path], reader.secret);
    expect(forbidden.code).toBe(2);
    expect(forbidden.err).toMatch(/ingest/);
    expect((await admin.runs.list.query({ search: "refused" })).items).toEqual([]);
  });

  it("keeps NaN as values and 16 ranks as one attempt", async () => {
    const path = join(folder, "ranks.jsonl");
    const lines = Array.from({ length: 100 }, (_, step) =>
      Array.from(
        { length: 16 },
        (__, rank) => `{"step": ${step}, "rank": ${rank}, "loss": ${step === 50 && rank === 3 ? "NaN" : (2 + rank / 100).toFixed(3)}}`,
      ),
    ).flat();
    await writeFile(path, lines.join("\n"));
    const { out } = await run([path, "--json"]);
    expect(JSON.parse(out).runs[0].inputs[0]).toMatchObject({ accepted: 1_600, refused: 0 });
    const { id } = await summaryOf("default/ranks");
    const detail = await admin.runs.get.query({ runId: id });
    expect([detail.attempts.length, detail.pointCount]).toEqual([1, 1_600]);
  });
});

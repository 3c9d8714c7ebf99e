import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppRouter } from "@trainwatch/api";
import { readConfig, start, type RunningServer } from "@trainwatch/server";
import { createTestDatabase, type TestDatabase } from "@trainwatch/testkit";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
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
let token = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-import-evals-"));
  database = await createTestDatabase();
  server = await start(
    readConfig({ databaseUrl: database.url, port: 0, adminToken: ADMIN_TOKEN, logLevel: "silent", roles: ["serve"] }, {}),
  );
  url = server.url ?? "";
  admin = createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })] });
  token = (await admin.tokens.create.mutate({ name: "importer", scopes: ["ingest"] })).secret;
});
afterAll(async () => {
  await server.close();
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function bring(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  return { code: await runCli(["import", ...argv, "--url", url, "--token", token], [importLogs], io), ...io.written };
}

const SAMPLES = 5_000;

/** One evaluation as lm-evaluation-harness 0.4 leaves it: a results file and a sample file beside it. @param failed of every 100 samples, how many fail */
async function evaluation(name: string, step: number, failed: number): Promise<string> {
  const path = join(folder, name, `step${step}`);
  await mkdir(path, { recursive: true });
  const value = 1 - failed / 100;
  const stamp = `2031-01-02T03-04-0${step % 10}.000001`;
  await writeFile(
    join(path, `results_${stamp}.json`),
    JSON.stringify({
      results: { sums: { alias: "sums", "acc,none": value, "acc_stderr,none": Math.sqrt((value * (1 - value)) / SAMPLES) } },
      group_subtasks: { sums: [] },
      configs: { sums: { task: "sums", num_fewshot: 0 } },
      versions: { sums: 1 },
      "n-shot": { sums: 0 },
      higher_is_better: { sums: { acc: true } },
      "n-samples": { sums: { original: SAMPLES, effective: SAMPLES } },
      config: { model: "hf", model_args: `pretrained=lab/llm,revision=step${step}`, limit: null, gen_kwargs: null },
      git_hash: "0000000",
      date: 1_925_000_000,
      lm_eval_version: "0.4.9",
      chat_template: null,
      chat_template_sha: null,
      system_instruction: null,
      system_instruction_sha: null,
      fewshot_as_multiturn: false,
      model_name: "lab/llm",
    }),
  );
  const line = (index: number): string =>
    JSON.stringify({
      doc_id: index,
      doc: { question: `${index} + 1 =` },
      target: String(index + 1),
      arguments: { gen_args_0: { arg_0: `${index} + 1 =` } },
      resps: [[String(index + 1)]],
      filtered_resps: [String(index + 1)],
      filter: "none",
      metrics: ["acc"],
      doc_hash: `hash-${index}`,
      prompt_hash: `prompt-${index}`,
      target_hash: `target-${index}`,
      acc: index % 100 < failed ? 0 : 1,
    });
  await writeFile(join(path, `samples_sums_${stamp}.jsonl`), Array.from({ length: SAMPLES }, (_, index) => `${line(index)}\n`).join(""));
  return path;
}

describe("trainwatch import of evaluation results", () => {
  it("brings a folder of results and samples to the checkpoints of a run, and a second time nothing new", async () => {
    const base = await evaluation("whole", 1_000, 20);
    await evaluation("whole", 2_001, 26);
    await writeFile(join(folder, "whole", "notes.md"), "# nothing\n");
    const first = await bring(join(base, ".."), "--run", "lab/evaluated", "--json");
    expect([first.code, first.err]).toEqual([0, ""]);
    const { evals, skipped } = JSON.parse(first.out);
    expect(
      evals.map((sent: Record<string, unknown>) => [
        sent["measures"],
        sent["samples"],
        sent["accepted"],
        sent["repeated"],
        sent["refused"],
      ]),
    ).toEqual([
      [1, 0, 1, 0, 0],
      [1, 0, 1, 0, 0],
      [0, SAMPLES, SAMPLES, 0, 0],
      [0, SAMPLES, SAMPLES, 0, 0],
    ]);
    expect(skipped).toHaveLength(1);
    const again = await bring(join(base, ".."), "--run", "lab/evaluated");
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toMatch(/of lab\/llm at step 1,000: 5,000 samples, 0 accepted, 5,000 repeated/);

    const { items } = await admin.scorecards.list.query({ query: "lab/llm" });
    expect(items.map(({ step, run, results, samples }) => [step, run?.name, results, samples]).toSorted()).toEqual([
      [1_000, "evaluated", 1, SAMPLES],
      [2_001, "evaluated", 1, SAMPLES],
    ]);
    const [baseline, candidate] = items.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0)).map(({ scorecardId }) => scorecardId);
    const { releaseId } = await admin.releases.create.mutate({
      name: "r",
      baselineId: baseline ?? 0,
      candidateIds: [candidate ?? 0],
      signers: ["Owner"],
    });
    const { comparison } = await admin.releases.get.query({ releaseId });
    const cell = comparison.rows.find(({ task }) => task === "sums")?.cells[1];
    expect(cell).toMatchObject({ verdict: "worse", test: "mcnemar-exact", pairs: SAMPLES, lost: 300, won: 0 });
  });

  it("counts no samples of an import that broke off, and completes it when it is run again", async () => {
    const path = await evaluation("broken", 3_000, 10);
    const [samples] = (await admin.scorecards.list.query({ query: "lab/llm" })).items.map((card) => card.samples);
    expect(samples).toBe(SAMPLES);
    // The first part alone, as a process that was killed after it leaves it.
    const io = createTestIo();
    let parts = 0;
    const fetch = globalThis.fetch;
    const counted: typeof globalThis.fetch = (...args) => {
      if (String(args[0]).includes("ingest.evals") && ++parts === 3) return Promise.reject(new TypeError("fetch failed"));
      return fetch(...args);
    };
    globalThis.fetch = counted;
    const code = await runCli(["import", path, "--run", "lab/evaluated", "--url", url, "--token", token], [importLogs], io).finally(() => {
      globalThis.fetch = fetch;
    });
    expect(code).toBe(2);
    const halfway = (await admin.scorecards.list.query({ query: "lab/llm" })).items.find(({ step }) => step === 3_000);
    expect([halfway?.results, halfway?.samples]).toEqual([1, 0]);
    const again = await bring(path, "--run", "lab/evaluated");
    expect([again.code, again.out]).toEqual([0, expect.stringMatching(/3,000 accepted, 2,000 repeated/)]);
    const whole = (await admin.scorecards.list.query({ query: "lab/llm" })).items.find(({ step }) => step === 3_000);
    expect(whole?.samples).toBe(SAMPLES);
  });

  it("goes on with the other files where one was stored before with another content, and tells what was not read by its line", async () => {
    const table = join(folder, "tables");
    await mkdir(table);
    await writeFile(join(table, "a.csv"), "model,task,metric,value\nfirst,sums,acc,0.5\n");
    await writeFile(join(table, "b.csv"), 'model,task,metric,value\nsecond,sums,acc,0.6\n"third,sums,acc,0.7\n');
    // As another version would have read it.
    const fetch = globalThis.fetch;
    globalThis.fetch = (target, init) =>
      fetch(target, init === undefined ? init : { ...init, body: typeof init.body === "string" ? init.body.replace("0.5", "0.4") : null });
    const io = createTestIo();
    await runCli(["import", join(table, "a.csv"), "--url", url, "--token", token], [importLogs], io).finally(() => {
      globalThis.fetch = fetch;
    });
    expect(io.written.out).toMatch(/1 accepted/);
    const both = await bring(table);
    expect(both.code).toBe(2);
    expect(both.err).toMatch(/a\.csv: .*stored before with another content.*change the file, or name another run/s);
    expect(both.out).toMatch(/b\.csv \(csv-results\) of second: 1 results, 1 accepted, 1 places not read/);
    expect(both.out).toMatch(/^ {2}line 3: The row cannot be read: a quote is not closed/m);
    const { evals } = JSON.parse((await bring(table, "--json")).out);
    expect(evals[0].issueList).toEqual([expect.objectContaining({ line: 3, code: "bad-row" })]);
  });

  it("lists the checkpoints of a registry in the run, and refuses them without one", async () => {
    const path = join(folder, "registry.csv");
    await writeFile(path, "Step,Checkpoint Directory\n0,s3://b/step0/\n1000,s3://b/step1000/\n");
    expect(await bring(path, "--run", "lab/listed")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/2 checkpoints listed, 2 accepted/),
    });
    const { items } = await admin.checkpoints.registry.query({ query: "listed" });
    expect(items.map(({ step, state }) => [step, state])).toEqual(
      expect.arrayContaining([
        [0, "unchecked"],
        [1_000, "unchecked"],
      ]),
    );
    const without = await bring(path);
    expect(without.out).toMatch(/2 refused/);
    expect(without.out).toMatch(/refused: .*run/);
  });

  it("keeps results of the same file for two runs apart, and says what is no result", async () => {
    const path = await evaluation("twice", 4_000, 30);
    expect(await bring(path, "--run", "lab/first")).toMatchObject({ code: 0 });
    expect(await bring(path, "--run", "lab/second")).toMatchObject({ code: 0, out: expect.stringMatching(/5,000 accepted/) });
    const runs = (await admin.scorecards.list.query({ query: "lab/llm" })).items
      .filter(({ step }) => step === 4_000)
      .map(({ run }) => run?.name);
    expect(runs.toSorted()).toEqual(["first", "second"]);
    const broken = join(folder, "broken.json");
    await writeFile(broken, '{"results": {"sums": {"acc,none": 0.5');
    const refused = await bring(broken);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("broken.json")]);
  });
});

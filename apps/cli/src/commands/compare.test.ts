import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CompareReport, TrendReport } from "../compare/compare-report.ts";
import { loadCommands } from "../frame/load-commands.ts";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";
import { COMMANDS } from "./registry.ts";

interface Results {
  readonly model?: string;
  readonly step?: number;
  readonly nShot?: number;
  readonly acc: number;
  readonly stderr?: number;
}

/** A results file as lm-evaluation-harness 0.3 writes it. */
function lmEval({ model = "lab/llm", step, nShot = 0, acc, stderr = 0.01 }: Results): string {
  return JSON.stringify({
    results: { hellaswag: { acc, acc_stderr: stderr } },
    versions: { hellaswag: 0 },
    config: {
      model: "hf-causal",
      model_args: `pretrained=${model}${step === undefined ? "" : `,revision=step${step}`}`,
      num_fewshot: nShot,
      batch_size: 8,
      limit: null,
      bootstrap_iters: 1000,
      description_dict: {},
    },
  });
}

async function folder(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainwatch-compare-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return path;
}

async function compare(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  const command = ["compare", ...argv];
  return { code: await runCli(command, await loadCommands(command, COMMANDS), io), ...io.written };
}

const THREE = {
  "step1000.json": lmEval({ step: 1_000, acc: 0.6 }),
  "step2000.json": lmEval({ step: 2_000, acc: 0.7 }),
  "step3000.json": lmEval({ step: 3_000, acc: 0.5 }),
};

describe("trainwatch compare", () => {
  it("says of each checkpoint what is better, worse and tied against the baseline", async () => {
    const { code, out, err } = await compare(await folder(THREE), "--baseline", "1000");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/P +lab\/llm +1,000 +baseline/);
    expect(out).toMatch(/HellaSwag \(0-shot\) +– +60\.0 % ±2\.0 +70\.0 % \(\+10\.0 ±2\.8\) better +50\.0 % \(−10\.0 ±2\.8\) worse +A P B/);
    expect(out).toContain("2 tests together, Holm at 5.0 %");
  });

  it("prints one JSON object with every file and the whole comparison", async () => {
    const { out } = await compare(await folder(THREE), "--baseline", "lab/llm@1000", "--json");
    const report = JSON.parse(out) as CompareReport;
    expect(report).toMatchObject({ version: 1, by: "model", faults: [] });
    expect(report.inputs.map(({ format, measures, issuesTotal }) => [format, measures, issuesTotal])).toEqual(
      Array.from({ length: 3 }, () => ["lm-eval", 1, 0]),
    );
    expect(report.comparison.rows.map(({ cells }) => cells.map(({ verdict }) => verdict))).toEqual([["tie", "better", "worse"]]);
  });

  it("exits 1 with --fail-on worse only where something got worse", async () => {
    const path = await folder(THREE);
    expect((await compare(path, "--baseline", "1000", "--only", "2000", "--fail-on", "worse")).code).toBe(0);
    expect((await compare(path, "--baseline", "1000", "--fail-on", "worse")).code).toBe(1);
    expect((await compare(path, "--baseline", "1000")).code).toBe(0);
  });

  it("V5: does not compare what was measured otherwise until it is told to, and names what differs", async () => {
    const path = await folder({ "a.json": lmEval({ step: 1_000, acc: 0.6, nShot: 5 }), "b.json": lmEval({ step: 2_000, acc: 0.7 }) });
    const refused = await compare(path, "--baseline", "1000");
    expect(refused.out).toMatch(/70\.0 % not comparable/);
    expect(refused.out).toContain("A not comparable: n-shot 0 vs 5");
    expect(refused.out).not.toMatch(/\bbetter\b.*\+10/);
    const allowed = await compare(path, "--baseline", "1000", "--allow", "--json");
    const [row] = (JSON.parse(allowed.out) as CompareReport).comparison.rows;
    expect(row?.cells[1]).toMatchObject({
      verdict: "better",
      overridden: true,
      differences: [expect.objectContaining({ setting: "nShot" })],
    });
  });

  it("takes two evaluations of one model under two paths as two columns", async () => {
    const path = await folder({ "old/r.json": lmEval({ acc: 0.6 }), "new/r.json": lmEval({ acc: 0.7 }) });
    const { code, out } = await compare(join(path, "old"), join(path, "new"), "--baseline", join(path, "old"));
    expect(code).toBe(0);
    expect(out).toMatch(/70\.0 % \(\+10\.0 ±2\.8\) better/);
  });

  it("shows only what got worse, and says how much is left out", async () => {
    const { out } = await compare(await folder(THREE), "--baseline", "1000", "--only", "2000", "--regressions");
    expect(out).not.toContain("HellaSwag");
    expect(out).toContain("Shown: 0 of 1 rows");
  });

  it("shows every measure over the steps with its peak", async () => {
    const { code, out } = await compare(await folder(THREE), "--trend");
    expect([code, out]).toEqual([0, expect.stringMatching(/HellaSwag +3 +60\.0 % at 1,000 +50\.0 % at 3,000/)]);
    const report = JSON.parse((await compare(await folder(THREE), "--trend", "--json")).out) as TrendReport;
    expect(report.trends.map(({ points }) => points.map(({ step, value }) => [step, value]))).toEqual([
      [
        [1_000, 0.6],
        [2_000, 0.7],
        [3_000, 0.5],
      ],
    ]);
  });

  it("makes a trend a model, whatever steps they have in common", async () => {
    const path = await folder({ "t.csv": "model,step,accuracy\nA,100,0.5\nA,200,0.7\nB,100,0.6\nB,200,0.4\n" });
    const trend = ["--format", "csv-results", "--trend"];
    const { trends } = JSON.parse((await compare(path, ...trend, "--json")).out) as TrendReport;
    expect(trends.map(({ model, points }) => [model, points.map(({ step, value }) => [step, value])])).toEqual([
      [
        "A",
        [
          [100, 0.5],
          [200, 0.7],
        ],
      ],
      [
        "B",
        [
          [100, 0.6],
          [200, 0.4],
        ],
      ],
    ]);
    expect((await compare(path, ...trend)).out).toMatch(/^A\n.* at 100 .*\nB\n/s);
    const only = JSON.parse((await compare(path, ...trend, "--only", "B", "--json")).out) as TrendReport;
    expect(only.trends.map(({ model }) => model)).toEqual(["B"]);
    expect(await compare(path, ...trend, "--only", "C")).toMatchObject({ code: 2, err: expect.stringMatching(/names none of A@100/) });
  });

  it("takes checkpoints that are called by their step for one model", async () => {
    const path = await folder({ "t.csv": "model,step,accuracy\nout/checkpoint-100,100,0.5\nout/checkpoint-0200,200,0.7\n" });
    const { trends } = JSON.parse((await compare(path, "--format", "csv-results", "--trend", "--json")).out) as TrendReport;
    expect(trends.map(({ model, points }) => [model, points.length])).toEqual([["out/checkpoint-*", 2]]);
  });

  it("says what was not read, told twice and passed over, in every form", async () => {
    const rows = 'model,task,metric,value,stderr\nA,mm,acc,0.5,0.01\nB,mm,acc,0.6,0.01\nA,mm,acc,0.9,0.01\nC,"mm,acc,0.7,0.01\n';
    const path = await folder({ "results.csv": rows, "notes.md": "# nothing\n", "wide.csv": "" });
    await writeFile(join(path, "wide.csv"), Buffer.from("model,task,metric,value\na,b,acc,0.5\n", "utf16le"));
    const argv = [path, "--baseline", "A"];
    const said =
      /results\.csv: 1 issue\n  line 5: .*\n1 result comes twice .*\(acc of mm of A\).*\n2 files in the directory are no evaluation/;
    const text = await compare(...argv);
    expect([text.code, text.out]).toEqual([0, expect.stringMatching(said)]);
    expect(text.out).toContain("50.0 %");
    const csv = await compare(...argv, "--csv");
    expect([csv.out.includes("issue"), csv.err]).toEqual([false, expect.stringMatching(said)]);
    const report = JSON.parse((await compare(...argv, "--json")).out) as CompareReport;
    expect(report.skipped.map(({ path: name }) => name.split("/").at(-1)).toSorted()).toEqual(["notes.md", "wide.csv"]);
    expect(report.skipped.find(({ why }) => why.includes("UTF-16"))).toBeDefined();
    expect([report.notes.length, report.inputs[0]?.issuesTotal]).toEqual([1, 1]);
  });

  it("prints the rows as CSV", async () => {
    const { out } = await compare(await folder(THREE), "--baseline", "1000", "--csv");
    expect(out.split("\n")[0]).toContain("verdict");
    expect(out).toContain("hellaswag");
  });

  it("passes over what is no evaluation in a folder, but not where it is named", async () => {
    const path = await folder({ ...THREE, "notes.md": "# nothing\n" });
    expect((await compare(path, "--baseline", "1000")).code).toBe(0);
    const named = await compare(path, join(path, "notes.md"), "--baseline", "1000");
    expect([named.code, named.err]).toEqual([2, expect.stringMatching(/notes\.md: No known evaluation format .*with --format/)]);
  });

  it("says of a pipe that it cannot be read twice", async () => {
    const path = await folder({});
    const pipe = join(path, "results.json");
    execFileSync("mkfifo", [pipe]);
    const { code, err } = await compare(pipe, "--baseline", "1000");
    expect([code, err]).toEqual([2, expect.stringMatching(/results\.json: .*read twice.*write them to a file/)]);
  });

  it("says of each named file why nothing of it is read", async () => {
    const path = await folder({ ...THREE, "empty.csv": "", "wide.csv": "" });
    await writeFile(join(path, "wide.csv"), Buffer.from("model,task,metric,value\na,b,acc,0.5\n", "utf16le"));
    const named = await compare(path, join(path, "empty.csv"), join(path, "wide.csv"), "--baseline", "1000");
    expect([named.code, named.err]).toEqual([2, expect.stringMatching(/empty\.csv: The file is empty\.\n.*wide\.csv: .*UTF-16.*iconv/s)]);
  });

  it.each([
    { what: "no baseline", argv: [], said: /--baseline NAME\. There are lab\/llm@1000, lab\/llm@2000, lab\/llm@3000/ },
    { what: "a baseline that is not there", argv: ["--baseline", "4000"], said: /"4000" is none of the columns; there are lab\/llm@1000/ },
    { what: "a baseline that means several", argv: ["--baseline", "lab/llm"], said: /means 3 columns/ },
    { what: "nothing beside the baseline", argv: ["--baseline", "1000", "--only", "1000"], said: /nothing to compare/ },
    { what: "a level out of range", argv: ["--baseline", "1000", "--level", "95"], said: /level.*at most 0\.999/ },
    { what: "a mapping that is none", argv: ["--baseline", "1000", "--columns", "step"], said: /not of the form NAME=COLUMN/ },
  ])("exits 2 on $what and says what to do", async ({ argv, said }) => {
    const { code, err } = await compare(await folder(THREE), ...argv);
    expect([code, err]).toEqual([2, expect.stringMatching(said)]);
  });

  it("exits 2 on a path that is not there, a folder without results and a list of checkpoints without scores", async () => {
    const path = await folder({
      "notes.md": "# nothing\n",
      "list.csv": "Step,Checkpoint Directory\n0,s3://b/step0/\n1000,s3://b/step1000/\n",
    });
    expect(await compare(join(path, "absent"), "--baseline", "x")).toMatchObject({ code: 2, err: expect.stringMatching(/no such file/) });
    expect(await compare(join(path, "notes.md"), "--baseline", "x")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no evaluation result/),
    });
    expect(await compare(join(path, "list.csv"), "--baseline", "x")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/2 checkpoints are listed there and no score/),
    });
  });

  it("says the same twice", async () => {
    const path = await folder(THREE);
    const [once, twice] = [await compare(path, "--baseline", "1000", "--json"), await compare(path, "--baseline", "1000", "--json")];
    expect(twice.out).toBe(once.out);
  });
});

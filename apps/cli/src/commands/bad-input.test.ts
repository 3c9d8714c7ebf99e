import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const CLI = fileURLToPath(new URL("../../bin/trainwatch.mjs", import.meta.url));

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-bad-input-"));
  await mkdir(join(folder, "nothing"));
  await mkdir(join(folder, "no-logs"));
  const files: readonly (readonly [string, string | Uint8Array])[] = [
    ["empty.log", ""],
    ["blank.log", "\n  \n\n"],
    ["junk.bin", Uint8Array.from({ length: 200_000 }, (_, index) => (index * 7_919 + (index >> 3)) & 0xff)],
    ["prose.txt", "Dear diary,\ntoday the loss went up again.\n".repeat(50)],
    ["no-logs/notes.md", "# notes\n"],
    ["good.jsonl", jsonl(300)],
    ["head.jsonl.gz", gzipSync(jsonl(30_000)).subarray(0, 12)],
    ["cut.jsonl.gz", gzipSync(jsonl(30_000)).subarray(0, 60_000)],
    [
      "long-line.jsonl",
      `${jsonl(200)}{"step": 200, "note": "${"x".repeat(10 * 1024 * 1024)}"}\n${jsonl(300).split("\n").slice(201).join("\n")}`,
    ],
    ["only-long-line.jsonl", "x".repeat(10 * 1024 * 1024)],
    ["banner.log", "using world size: 64, data-parallel size: 64, tensor-model-parallel size: 1\n"],
  ];
  for (const [name, content] of files) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function jsonl(steps: number): string {
  return Array.from(
    { length: steps },
    (_, step) =>
      `{"step": ${step}, "loss": ${(3 + Math.sin(step * 12.9898) * 0.01).toFixed(5)}, "grad_norm": ${(0.5 + Math.cos(step * 78.233) * 0.05).toFixed(4)}}\n`,
  ).join("");
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The real command, as a shell starts it; standard input is `input`. */
function trainwatch(argv: readonly string[], input: string | Uint8Array = ""): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const { TRAINWATCH_URL: _url, TRAINWATCH_TOKEN: _token, ...env } = process.env;
    const child = spawn(process.execPath, [CLI, ...argv], { cwd: folder, env });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (err += text));
    child.on("error", reject).on("close", (code) => resolve({ code, out, err }));
    child.stdin.on("error", () => undefined).end(input);
  });
}

/** An address where nobody listens: a port that was free a moment ago. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 1}`;
}

interface BadInput {
  readonly what: string;
  readonly argv: readonly string[];
  readonly input?: string;
  readonly said: RegExp;
}

/** Each is said in one line of standard error that names the input. */
const UNREADABLE: readonly BadInput[] = [
  { what: "an empty file", argv: ["empty.log"], said: /^trainwatch: empty\.log: the file is empty/ },
  { what: "a file of blank lines", argv: ["blank.log"], said: /^trainwatch: blank\.log: the file is empty/ },
  { what: "binary junk", argv: ["junk.bin"], said: /^trainwatch: junk\.bin: .*binary/ },
  { what: "text that is no log", argv: ["prose.txt"], said: /^trainwatch: prose\.txt: no known log format .*Known: megatron/ },
  { what: "a missing path", argv: ["absent.log"], said: /^trainwatch: absent\.log: there is no such file or directory/ },
  { what: "a path below a file", argv: ["good.jsonl/inner"], said: /^trainwatch: good\.jsonl\/inner: there is no such file/ },
  {
    what: "a gzip that ends before its first line",
    argv: ["head.jsonl.gz"],
    said: /^trainwatch: head\.jsonl\.gz: (?:the gzip stream ends early|no known log format|the file is empty)/,
  },
  { what: "a single line of 10 MB", argv: ["only-long-line.jsonl"], said: /^trainwatch: only-long-line\.jsonl: no known log format/ },
  { what: "a log without a measurement", argv: ["banner.log"], said: /^trainwatch: banner\.log: .*holds no measurement/ },
  { what: "an empty directory", argv: ["nothing"], said: /^trainwatch: nothing: no log was found there/ },
  { what: "a directory without logs", argv: ["no-logs"], said: /^trainwatch: no-logs: no log was found there/ },
  { what: "nothing on standard input", argv: ["-"], said: /^trainwatch: -: the file is empty/ },
  { what: "junk on standard input", argv: ["-"], input: "hello\nworld\n", said: /^trainwatch: -: no known log format/ },
];

const BAD_USAGE: readonly BadInput[] = [
  { what: "no path", argv: [], said: /missing required argument 'paths'/ },
  { what: "standard input twice", argv: ["-", "-"], said: /Standard input \(-\) can be named once only/ },
  { what: "no GPUs", argv: ["good.jsonl", "--gpus", "0"], said: /--gpus: must be at least 1/ },
  { what: "a zone that is none", argv: ["good.jsonl", "--tz", "Mars/Base"], said: /--tz: must be an IANA zone/ },
  { what: "a run without a name", argv: ["good.jsonl", "--run", "lab/"], said: /--run: must be PROJECT\/NAME/ },
  {
    what: "a format that is none",
    argv: ["good.jsonl", "--format", "xml"],
    said: /--format: there is no format "xml"; known are megatron/,
  },
];

describe("trainwatch inspect", () => {
  it.each(UNREADABLE)("exits 2 on $what and says so", async ({ argv, input, said }) => {
    const { code, err } = await trainwatch(["inspect", ...argv], input ?? "");
    expect(err).toMatch(said);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(code).toBe(2);
  });

  it.each([
    ...BAD_USAGE,
    { what: "a severity that is none", argv: ["good.jsonl", "--fail-on", "info"], said: /--fail-on: must be critical or warning/ },
  ])("exits 2 on $what and says so", async ({ argv, said }) => {
    const { code, out, err } = await trainwatch(["inspect", ...argv]);
    expect(err).toMatch(said);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });

  it("says on one line where a gzip breaks off", async () => {
    const { code, err } = await trainwatch(["inspect", "cut.jsonl.gz"]);
    expect(err).toMatch(/^trainwatch: cut\.jsonl\.gz: the gzip stream ends early after [\d,]+ unpacked bytes; .*copy the file again.*\n$/);
    expect(code).toBe(2);
  });

  it("reports what could be read of a cut gzip and of the other inputs, and still exits 2", async () => {
    const { code, out, err } = await trainwatch(["inspect", "good.jsonl", "cut.jsonl.gz", "absent.log", "--json"]);
    const report = JSON.parse(out);
    expect(code).toBe(2);
    expect(err.trimEnd().split("\n")).toHaveLength(2);
    expect(
      report.inputs.map((input: { readonly readable: boolean; readonly format: string | null }) => [input.readable, input.format]),
    ).toEqual([
      [true, "jsonl"],
      [false, "jsonl"],
      [false, null],
    ]);
    expect(report.inputs[1].issues.at(-1)).toMatchObject({ code: "truncated" });
    expect(report.inputs[2]).toMatchObject({ lines: null, issues: [{ line: null, code: "missing" }] });
    expect(report.runs.map((run: { readonly name: string }) => run.name)).toEqual(["good", "cut"]);
    expect(report.runs[1].metrics[0].points).toBeGreaterThan(1_000);
  });

  it("skips a line of 10 MB inside a log as an issue and reads the rest", async () => {
    const { code, out } = await trainwatch(["inspect", "long-line.jsonl", "--json"]);
    const report = JSON.parse(out);
    expect(code).toBe(0);
    expect(report.inputs[0].issues).toMatchObject([{ line: 201, code: "line-too-long" }]);
    expect(report.runs[0].metrics.find((metric: { readonly name: string }) => metric.name === "loss").points).toBe(299);
  });

  it("reads standard input", async () => {
    const { code, out } = await trainwatch(["inspect", "-", "--json"], jsonl(300));
    expect(code).toBe(0);
    expect(JSON.parse(out).runs[0]).toMatchObject({ name: "stdin", attempts: [{ lastStep: 299 }] });
  });
});

describe("trainwatch import", () => {
  it.each([...UNREADABLE, ...BAD_USAGE])("exits 2 on $what before it asks any server", async ({ argv, input, said }) => {
    // Nobody listens there: whoever tried to send would say so.
    const { code, err } = await trainwatch(["import", ...argv, "--url", await closedUrl()], input ?? "");
    expect(err).toMatch(said);
    expect(err).not.toContain("no server answers");
    expect(code).toBe(2);
  });

  it("names a server that is not there", async () => {
    const url = await closedUrl();
    const { code, err } = await trainwatch(["import", "good.jsonl", "--url", url]);
    expect(code).toBe(2);
    expect(err).toContain(`trainwatch: ${url}: no server answers there (ECONNREFUSED); start one with \`trainwatch serve\``);
  });

  it.each([[], ["--token", "tw_x"]])("says so too of a port that fetch does not even try, %j", async (...token) => {
    const { code, err } = await trainwatch(["import", "good.jsonl", "--url", "http://127.0.0.1:1", ...token]);
    expect(code).toBe(2);
    expect(err).toMatch(/^trainwatch: http:\/\/127\.0\.0\.1:1: no server answers there \(bad port\); start one/);
  });

  it("tells a server that is none of ours", async () => {
    const other = createServer((_request, response) => void response.end("<html>It works!</html>"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { code, err } = await trainwatch(["import", "good.jsonl", "--url", `http://127.0.0.1:${port}`]);
    other.close();
    expect(code).toBe(2);
    expect(err).toMatch(/what answers there is no Trainwatch server; check --url/);
  });
});

describe("trainwatch simulate", () => {
  it.each([
    { what: "an unknown fault", argv: ["--fault", "boom@5"], said: /--fault.*there is no fault "boom"; known are spike/ },
    { what: "no steps", argv: ["--steps", "0"], said: /--steps: must be at least 1/ },
    { what: "an unknown format", argv: ["--format", "xml"], said: /--format: must be one of jsonl, megatron/ },
    {
      what: "a restart from a step that was not reached",
      argv: ["--fault", "restart@5:resume-from=9"],
      said: /restart after step 5 cannot resume from 9/,
    },
    {
      what: "a folder that is not there",
      argv: ["--steps", "5", "--out", "absent/run.log"],
      said: /absent\/run\.log: there is no such file or directory/,
    },
  ])("exits 2 on $what and says so", async ({ argv, said }) => {
    const { code, err } = await trainwatch(["simulate", ...argv]);
    expect(err).toMatch(said);
    expect(code).toBe(2);
  });

  it("prints a log that inspect reads, and ends quietly when the reader goes away", async () => {
    const { code, out } = await trainwatch(["simulate", "--steps", "500", "--truth", "truth.jsonl", "--fault", "outlier@300"]);
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(500);
    expect(JSON.parse((await trainwatch(["inspect", "-", "--json"], out)).out).runs[0].attempts[0]).toMatchObject({
      firstStep: 1,
      lastStep: 500,
    });
  });
});

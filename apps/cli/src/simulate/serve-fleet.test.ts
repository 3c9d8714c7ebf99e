import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { simulate } from "../commands/simulate.ts";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";

const FAULTS = [
  "--fleet-fault",
  "hot-gpu@120:node=1,gpu=5,celsius=26,slows-step-by=1.4,for=420",
  "--fleet-fault",
  "link-errors@0:node=0,link=3",
];

describe("trainwatch simulate --serve", () => {
  it("serves the nodes from now on, says what will go wrong, and couples a hot GPU with the run's steps", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trainwatch-serve-fleet-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const io = createTestIo();
    const ended = runCli(
      ["simulate", "--serve", "0", "--nodes", "2", "--json", "--truth", join(folder, "truth.jsonl"), ...FAULTS],
      [simulate],
      io,
    );
    await vi.waitFor(() => expect(io.written.out).toContain("}\n"));
    const said: {
      readonly url: string;
      readonly nodes: readonly { readonly host: string; readonly dcgm: string; readonly node: string }[];
      readonly truth: readonly object[];
    } = JSON.parse(io.written.out);
    expect(said.nodes.map(({ host }) => host)).toEqual(["a01-n01", "a01-n02"]);
    for (const { dcgm, node } of said.nodes) for (const url of [dcgm, node]) expect((await fetch(url)).status).toBe(200);
    const atMs = io.now() + 120_000;
    expect(said.truth).toEqual([
      // 120 s after the start at 4.2 s a step; 420 s of steps that take 1.4 times as long.
      expect.objectContaining({ kind: "slow", onsetStep: 29, endStep: 29 + 71 - 1, metric: "step_time" }),
      expect.objectContaining({ kind: "hot-gpu", host: "a01-n02", atMs, untilMs: atMs + 420_000 }),
      expect.objectContaining({ kind: "link-errors", host: "a01-n01", link: 3 }),
    ]);
    const lines = (await readFile(join(folder, "truth.jsonl"), "utf8")).trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(said.truth);
    io.end();
    expect(await ended).toBe(0);
    await expect(fetch(said.url)).rejects.toThrow();
  });

  it("tells a person where the exporters answer and how Prometheus finds them", async () => {
    const io = createTestIo();
    const ended = runCli(["simulate", "--serve", "0", "--nodes", "1"], [simulate], io);
    await vi.waitFor(() => expect(io.written.out).toContain("Ctrl+C"));
    io.end();
    expect(await ended).toBe(0);
    expect(io.written.out).toMatch(/The exporters of 1 node with 8 GPUs answer at http:\/\/127\.0\.0\.1:\d+\n/);
    expect(io.written.out).toMatch(/http_sd_configs: \[\{ url: "http:\/\/127\.0\.0\.1:\d+\/targets" \}\]/);
  });

  it.each([
    [["--serve", "0", "--out", "run.log"], /leave one of them out/],
    [["--fleet-fault", "xid@5"], /--fleet-fault needs --serve/],
    [["--serve", "0", "--fleet-fault", "boom@5"], /--fleet-fault: there is no fault "boom"/],
    [["--serve", "0", "--fleet-fault", "xid@5:node=99"], /0 to 15 for the node of xid, not 99/],
    [["--serve", "70000"], /--serve: must be at most 65535/],
  ])("exits 2 on %j and says why", async (argv, why) => {
    const io = createTestIo();
    expect(await runCli(["simulate", ...argv], [simulate], io)).toBe(2);
    expect(io.written.err).toMatch(why);
  });
});

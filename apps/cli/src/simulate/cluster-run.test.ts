import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { simulate } from "../commands/simulate.ts";
import { runCli } from "../frame/run-cli.ts";
import { createTestIo } from "../frame/test-io.fixture.ts";

const FAULTS = `{"kind": "silent-error", "step": 20, "rank": 5, "sigma": 9}
{"kind": "xid", "step": 30, "node": 1, "gpu": 2, "code": 63}
`;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "trainwatch-cluster-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  await writeFile(join(path, "faults.jsonl"), FAULTS);
  return path;
}

async function linesOf(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
}

describe("trainwatch simulate --faults", () => {
  it("writes the run's log, its ranks, where they sit and what was done, of one run", async () => {
    const path = await folder();
    const at = (name: string): string => join(path, name);
    const io = createTestIo();
    const argv = [
      "simulate",
      "--nodes",
      "2",
      "--tp",
      "4",
      "--pp",
      "2",
      "--seed",
      "7",
      "--steps",
      "40",
      "--json",
      "--faults",
      at("faults.jsonl"),
    ];
    const outputs = [
      "--out",
      at("run.jsonl"),
      "--ranks-out",
      at("ranks.jsonl"),
      "--assignments-out",
      at("at.jsonl"),
      "--truth",
      at("truth.jsonl"),
    ];
    expect(await runCli([...argv, ...outputs], [simulate], io)).toBe(0);
    const [log, ranks, assignments, truth] = await Promise.all(
      ["run.jsonl", "ranks.jsonl", "at.jsonl", "truth.jsonl"].map((name) => linesOf(at(name))),
    );
    expect(log).toHaveLength(40);
    expect(ranks).toHaveLength(40 * 16);
    expect(assignments?.[13]).toMatchObject({ rank: 13, tp: 1, pp: 1, dp: 1, gpuIndex: 5 });
    expect(truth).toEqual([
      expect.objectContaining({
        kind: "silent-error",
        cause: "hardware",
        onsetStep: 20,
        ranks: [5],
        gpuIds: [assignments?.[5]?.["gpuUuid"]],
      }),
      expect.objectContaining({ kind: "xid", onsetStep: 30, nodeId: assignments?.[10]?.["node"] }),
    ]);
    const losses = ranks?.filter(({ step }) => step === 25).map(({ loss }) => Number(loss)) ?? [];
    expect(log?.[24]?.["loss"]).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / 16, 5);
    const said: { readonly truth: unknown } = JSON.parse(io.written.out);
    expect(said.truth).toEqual(truth);
  });

  it("serves the exporters of the same cluster from now on", async () => {
    const path = await folder();
    const io = createTestIo();
    const ended = runCli(
      ["simulate", "--nodes", "2", "--steps", "40", "--serve", "0", "--json", "--faults", join(path, "faults.jsonl")],
      [simulate],
      io,
    );
    await vi.waitFor(() => expect(io.written.out).toContain("}\n"));
    const said: {
      readonly nodes: readonly { readonly dcgm: string }[];
      readonly truth: readonly { readonly kind: string; readonly onsetMs: number }[];
    } = JSON.parse(io.written.out);
    expect(said.truth.map(({ kind }) => kind)).toEqual(["silent-error", "xid"]);
    expect(said.truth[0]?.onsetMs).toBeGreaterThan(io.now());
    expect((await fetch(said.nodes[1]?.dcgm ?? "")).status).toBe(200);
    io.end();
    expect(await ended).toBe(0);
  });

  it.each([
    [["--faults", "absent.jsonl"], /absent\.jsonl: there is no such file/],
    [["--nodes", "2", "--pp", "3"], /16 ranks cannot be parted into 3 pipeline stages/],
    [["--nodes", "2", "--fault", "restart@9:resume-from=3"], /restarts by a fault of its cluster/],
    [["--serve", "0", "--ranks-out", "ranks.jsonl"], /leave one of them out/],
  ])("refuses %j and says why", async (argv, message) => {
    const io = createTestIo();
    expect(await runCli(["simulate", ...argv], [simulate], io)).toBe(2);
    expect(io.written.err).toMatch(message);
  });

  it("names the entry of a file that does not fit the cluster, and tells the kinds in its help", async () => {
    const path = await folder();
    await writeFile(join(path, "faults.jsonl"), '{"kind": "hang", "step": 3, "rank": 99}');
    const io = createTestIo();
    expect(await runCli(["simulate", "--nodes", "2", "--faults", join(path, "faults.jsonl")], [simulate], io)).toBe(2);
    expect(io.written.err).toMatch(/Fault 1 \(hang\): rank must be a whole number from 0 to 15, not 99/);
    const help = createTestIo();
    await runCli(["simulate", "--help"], [simulate], help);
    expect(help.written.out).toMatch(/ecc-chain \(rank, or node and gpu\) remapFails=0, downtimeS=300/);
  });
});

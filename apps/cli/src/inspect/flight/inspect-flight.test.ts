import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../../commands/inspect.ts";
import { runCli } from "../../frame/run-cli.ts";
import { createTestIo } from "../../frame/test-io.fixture.ts";
import type { InspectReport } from "../report.ts";

/** A dump of rank 0 of four that waits in all-reduce 8, as CPython pickles it with protocol 2, in Base64. */
const PICKLED =
  "gAJ9cQAoWAcAAAB2ZXJzaW9ucQFYAwAAADIuOXECWAwAAABuY2NsX3ZlcnNpb25xA1gGAAAAMi4yNy4zcQRYCQAAAHBnX2NvbmZpZ3EFfXEGWAEAAAAwcQd9cQgoWAQAAABuYW1lcQloB1gEAAAAZGVzY3EKWAoAAABkZWZhdWx0X3BncQtYBQAAAHJhbmtzcQxYDAAAAFswLCAxLCAyLCAzXXENdXNYCQAAAHBnX3N0YXR1c3EOfXEPaAd9cRAoWBgAAABsYXN0X2VucXVldWVkX2NvbGxlY3RpdmVxEUsIWBcAAABsYXN0X3N0YXJ0ZWRfY29sbGVjdGl2ZXESSv////9YGQAAAGxhc3RfY29tcGxldGVkX2NvbGxlY3RpdmVxE0sHdXNYBwAAAGVudHJpZXNxFF1xFX1xFihYCQAAAHJlY29yZF9pZHEXSwFYBQAAAHBnX2lkcRhLAFgNAAAAcHJvY2Vzc19ncm91cHEZaAdoC4ZxGlgRAAAAY29sbGVjdGl2ZV9zZXFfaWRxG0sIWAoAAABwMnBfc2VxX2lkcRxLAFgFAAAAb3BfaWRxHUsBWA4AAABwcm9maWxpbmdfbmFtZXEeWA8AAABuY2NsOmFsbF9yZWR1Y2VxH1gPAAAAdGltZV9jcmVhdGVkX25zcSCKCFdGKwnw1mcYWAsAAABpbnB1dF9zaXplc3EhXXEiXXEjSwRhYVgMAAAAb3V0cHV0X3NpemVzcSRdcSVdcSZLBGFhWAUAAABzdGF0ZXEnWAkAAABzY2hlZHVsZWRxKFgKAAAAdGltZW91dF9tc3EpSsAnCQBYBgAAAGlzX3AycHEqiXVhdS4=";
/** `{"pg_config": print("never")}`, as `__reduce__` pickles a call. */
const CALLING = "gAJ9cQBYCQAAAHBnX2NvbmZpZ3EBY19fYnVpbHRpbl9fCnByaW50CnECWAUAAABuZXZlcnEDhXEEUnEFcy4=";

const json = (seq: number): string =>
  JSON.stringify({
    version: "2.9",
    pg_config: { "0": { name: "0", desc: "default_pg", ranks: "[0, 1, 2, 3]" } },
    pg_status: { "0": { last_enqueued_collective: seq, last_completed_collective: 7 } },
    entries: [
      {
        pg_id: 0,
        process_group: ["0", "default_pg"],
        collective_seq_id: seq,
        profiling_name: "nccl:all_reduce",
        state: seq === 8 ? "scheduled" : "completed",
        input_sizes: [[4]],
        is_p2p: false,
      },
    ],
  });

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-inspect-flight-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function folderWith(name: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  for (const [file, content] of Object.entries(files)) await writeFile(join(path, file), content);
  return path;
}

async function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  return { code: await runCli(["inspect", ...argv], [inspect], io), ...io.written };
}

async function report(...argv: readonly string[]): Promise<InspectReport> {
  return JSON.parse((await run(...argv, "--json")).out);
}

const whole = {
  nccl_trace_rank_0: Buffer.from(PICKLED, "base64"),
  nccl_trace_rank_1: json(8),
  "nccl_trace_rank_2.json": json(7),
  nccl_trace_rank_3: gzipSync(json(8)),
};

describe("inspect on dumps of the flight recorder", () => {
  it("names the rank that the others wait for, from pickles and JSON alike, gzip or not", async () => {
    const { code, out } = await run(await folderWith("whole", whole));
    expect(code).toBe(0);
    expect(out).toContain("NCCL flight recorder · 4 of 4 ranks");
    expect(out).toContain("◆ rank 2 is behind, and the others wait for it; 3 ranks wait for it, directly or in the end");
    expect(out).toContain("default_pg (group 0): 3 ranks wait in nccl:all_reduce 8; it has come to 7.");
  });

  it("E8: names the rank whose dump is missing first, and goes on with the others", async () => {
    const { nccl_trace_rank_3: _, ...rest } = whole;
    const { out } = await run(await folderWith("part", rest));
    expect(out.indexOf("◆ rank 3 has left no dump")).toBeGreaterThan(0);
    expect(out.indexOf("◆ rank 2 is behind")).toBeGreaterThan(out.indexOf("◆ rank 3 has left no dump"));
  });

  it("gives scripts the same under flightRecorder, by folder", async () => {
    const path = await folderWith("json", whole);
    const { inputs, runs, flightRecorder } = await report(path);
    expect(inputs.map(({ format }) => format)).toEqual(Array.from({ length: 4 }, () => "flight-recorder"));
    expect(runs).toEqual([]);
    expect(flightRecorder).toMatchObject([
      { folder: path, ranks: [0, 1, 2, 3], dumps: 4, expected: 4, suspects: [{ rank: 2, cause: "behind", victims: 3 }] },
    ]);
  });

  it("accuses nobody for the lack of most dumps, and says what to do", async () => {
    const { out } = await run(await folderWith("few", { _dump_0: whole.nccl_trace_rank_0 }));
    expect(out).toContain("3 ranks have left no dump in it. Put the dumps of all ranks into one folder");
    expect(out).not.toContain("◆");
  });

  it("exits 1 with --fail-on where a rank is named, and 0 where nobody waits", async () => {
    expect((await run(await folderWith("fail", whole), "--fail-on", "critical")).code).toBe(1);
    const calm = await folderWith("calm", Object.fromEntries([0, 1, 2, 3].map((rank) => [`_dump_${rank}`, json(7)])));
    const { code, out } = await run(calm, "--fail-on", "warning");
    expect(code).toBe(0);
    expect(out).toContain("No rank stands out: nobody waits.");
  });

  it("refuses a pickle that calls something, by the opcode's name, and calls nothing", async () => {
    const { code, err } = await run(join(await folderWith("calling", { _dump_0: Buffer.from(CALLING, "base64") }), "_dump_0"));
    expect(code).toBe(2);
    expect(err).toMatch(/as a pickle it cannot be read: opcode GLOBAL is not read here; it stands at byte 21\.$/m);
  });

  it("asks for the rank in the name of a dump that has none", async () => {
    const { code, err } = await run(join(await folderWith("nameless", { trace: json(8) }), "trace"));
    expect(code).toBe(2);
    expect(err).toContain("its name does not end in the rank's number; rename it as PyTorch does, to nccl_trace_rank_3 for rank 3");
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../../commands/inspect.ts";
import { runCli } from "../../frame/run-cli.ts";
import { createTestIo } from "../../frame/test-io.fixture.ts";

const HEAD = "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
const row = (bytes: number, bus: number): string => `${bytes} ${bytes / 4} float sum -1 100.0 50.00 ${bus} 0 100.0 50.00 ${bus} 0\n`;
const sound = HEAD + row(2 ** 23, 90) + row(2 ** 24, 130) + row(2 ** 25, 157);
const dipping = HEAD + row(2 ** 23, 90) + row(2 ** 24, 130) + row(2 ** 25, 60);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-inspect-measurements-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function run(
  name: string,
  text: string,
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const path = join(folder, name);
  await writeFile(path, text);
  const io = createTestIo();
  return { code: await runCli(["inspect", path, ...argv], [inspect], io), ...io.written };
}

describe("inspect on results of benchmarks", () => {
  it("says what the numbers show, and marks what is worth a look", async () => {
    const { code, out } = await run("dipping.log", dipping);
    expect(code).toBe(0);
    expect(out).toContain("· nccl-tests · 6 values");
    expect(out).toContain("    · Out-of-place: up to 130 GB/s at 16 MiB; half of that from 8 MiB on.");
    expect(out).toContain("    ▲ Out-of-place falls to 60 GB/s at 32 MiB, below the 130 GB/s of 16 MiB.");
  });

  it("gives scripts the same under measurements", async () => {
    const { out } = await run("sound.log", sound, "--json");
    expect(JSON.parse(out)).toMatchObject({
      inputs: [{ format: "nccl-tests", lines: 4, issuesTotal: 0, readable: true }],
      runs: [],
      measurements: [
        {
          format: "nccl-tests",
          tables: [{ title: "collective, bus bandwidth", unit: "GB/s", values: 6, facts: [{ isOdd: false }, { isOdd: false }] }],
        },
      ],
    });
  });

  it("exits 1 with --fail-on warning where something is odd, 0 where nothing is, 2 where no result came", async () => {
    expect((await run("dipping.log", dipping, "--fail-on", "warning")).code).toBe(1);
    expect((await run("sound.log", sound, "--fail-on", "warning")).code).toBe(0);
    const { code, err } = await run("empty.log", HEAD);
    expect([code, err]).toEqual([2, expect.stringContaining("it looks like nccl-tests but holds no measurement")]);
  });
});

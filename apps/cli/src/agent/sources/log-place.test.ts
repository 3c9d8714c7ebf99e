import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { RUNNING, createSourceWorld } from "../source-world.fixture.ts";
import type { TestSourceWorld } from "../source-world.fixture.ts";
import { FileEvents } from "./file.ts";
import type { FileOptions } from "./file.ts";

const xid = (code: number): string => `NVRM: Xid (PCI:0000:3b:00): ${code}, pid=1234, name=python`;
const events = (world: TestSourceWorld) => world.taken.flatMap((output) => output.events ?? []);

async function logFile(content: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-log-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, "kern.log"), content);
  return join(dir, "kern.log");
}

function open(world: TestSourceWorld, path: string, from: FileOptions["from"]): FileEvents {
  const source = new FileEvents({ kind: "file", name: "kernel", every: 1_000, path, log: "kernel", from }, world);
  onTestFinished(() => source.close());
  return source;
}

describe("a followed log", () => {
  it("is begun at its end where it was never read, and read on from there after a restart although nothing had come before it", async () => {
    const line = (code: number): string => `Nov 29 10:00:00 n1 kernel: [1.0] ${xid(code)}\n`;
    const path = await logFile(line(13));
    const world = createSourceWorld();
    await open(world, path, "end").collect(RUNNING);
    await appendFile(path, line(48));
    await open(world, path, "end").collect(RUNNING);
    expect(events(world).map(({ code }) => code)).toEqual([48]);
  });

  it("counts from the boot by the clock as it is set when a line is read, also where it is set after the start", async () => {
    const record = (sequence: number): string => `4,${sequence},1000000,-;${xid(79)}\n`;
    const path = await logFile(record(1));
    const world = createSourceWorld();
    const source = open(world, path, "start");
    await source.collect(RUNNING);
    world.clock.jump(3_600_000);
    await appendFile(path, record(2));
    await source.collect(RUNNING);
    const [before = 0, after = 0] = events(world).map(({ timeMs }) => timeMs);
    // The machine's uptime is real and goes on by the time that the test takes.
    expect(Math.round((after - before) / 60_000)).toBe(60);
  });
});

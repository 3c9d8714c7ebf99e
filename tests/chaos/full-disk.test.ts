import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { TrainwatchAgent } from "../../apps/cli/src/agent/agent.ts";
import { systemClock } from "../../apps/cli/src/agent/clock.ts";
import { readAgentConfig } from "../../apps/cli/src/agent/config/read-config.ts";
import { openSegmentWriter } from "../../apps/cli/src/agent/spool/segment-files.ts";
import type { OpenSegmentWriter } from "../../apps/cli/src/agent/spool/segment-files.ts";
import { createTestServer } from "../../apps/cli/src/agent/test-server.fixture.ts";
import { writeAgentConfig } from "../flow/agent-process.ts";
import { countingExporter } from "../flow/counting-exporter.ts";

const DISK_BYTES = 1024 * 1024;
const RUNNING = new AbortController().signal;

/** A file system of 1 MiB where this process may mount one; elsewhere a writer that counts what lies in the folder and then fails as a full disk does. */
const disk = canMount()
  ? ({ name: "a tmpfs of 1 MiB", mount, writer: undefined } as const)
  : ({ name: "a writer with a quota of 1 MiB", mount: null, writer: quotaWriter } as const);

it(`a full disk (${disk.name}) says so, keeps what it has, loses no event, and all goes on when there is room`, async () => {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-full-disk-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const dataDir = join(dir, "data");
  await mkdir(dataDir);
  if (disk.mount !== null) {
    disk.mount(dataDir);
    onTestFinished(() => void execFileSync("umount", ["-l", dataDir]));
  }
  const kernel = join(dir, "kern.log");
  await writeFile(kernel, "");
  await using server = await createTestServer();
  await using exporter = await countingExporter(2_000);
  const path = await writeAgentConfig(dir, {
    server: { url: server.url },
    dataDir,
    sources: [
      { kind: "scrape", url: exporter.url },
      { kind: "file", path: kernel, log: "kernel", from: "start" },
    ],
  });
  const said: string[] = [];
  const agent = await TrainwatchAgent.open(readAgentConfig(path, {}), {
    clock: systemClock,
    random: () => 0,
    say: (line) => void said.push(line),
    ...(disk.writer === undefined ? {} : { openWriter: disk.writer }),
  });
  onTestFinished(() => agent.close());

  server.refuse = () => ({ status: 503 });
  let lines = 0;
  const isFull = (): boolean => said.some((line) => line.includes("No room for readings"));
  for (let after = 0; after < 100; after += isFull() ? 1 : 0) {
    expect(lines).toBeLessThan(1_000);
    await appendFile(
      kernel,
      `Nov 29 10:00:00 n1 kernel: [1.0] NVRM: Xid (PCI:0000:3b:00): 79, pid=${lines++}, GPU has fallen off the bus.\n`,
    );
    await agent.collectAll(RUNNING);
  }
  expect(said.find((line) => line.includes("No room for readings"))).toMatch(
    /What is kept stays; nothing new is taken until there is room/,
  );

  server.refuse = () => null;
  for (let round = 0; round < 3; round++) await agent.once(RUNNING);
  expect(agent.waiting).toBe(0);
  const numbers = server.readings.filter((reading) => reading.startsWith("load_number ")).map((reading) => Number(reading.split(" ")[2]));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  expect(numbers.length).toBeLessThan(exporter.served());
  expect(numbers.at(-1)).toBe(exporter.served());
  const events = server.events.flatMap((push) => push.events);
  expect(events.filter(({ kind }) => kind === "xid").map(({ text }) => /pid=(\d+)/.exec(text)?.[1])).toEqual(
    Array.from({ length: lines }, (_, pid) => String(pid)),
  );
  expect(events.filter(({ kind, severity }) => kind === "spool-full" && severity === "warning").length).toBeGreaterThanOrEqual(1);
}, 120_000);

function canMount(): boolean {
  try {
    // In a mount space of its own: leaves nothing behind.
    execFileSync("unshare", ["-m", "mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function mount(dir: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", dir]);
}

function quotaWriter(path: string): ReturnType<OpenSegmentWriter> {
  return openSegmentWriter(path).then((writer) => ({
    isBroken: false,
    close: () => writer.close(),
    async append(bytes, at) {
      const dir = join(path, "../..");
      const names = (await readdir(dir, { recursive: true })).filter((name) => name.endsWith(".seg"));
      const sizes = await Promise.all(names.map(async (name) => (await stat(join(dir, name))).size));
      const used = sizes.reduce((sum, size) => sum + size, 0);
      if (used + bytes.length > DISK_BYTES) throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      await writer.append(bytes, at);
    },
  }));
}

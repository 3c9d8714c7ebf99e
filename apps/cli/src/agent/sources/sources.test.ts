import { appendFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { STALE_HIGH_BITS, STALE_LOW_BITS } from "@trainwatch/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { RUNNING, createSourceWorld } from "../source-world.fixture.ts";
import type { TestSourceWorld } from "../source-world.fixture.ts";
import type { ReadingBatch, Source } from "../source.ts";
import { KmsgRing } from "./kmsg.ts";
import { SOURCE_KINDS } from "./registry.ts";

function open(world: TestSourceWorld, options: Readonly<Record<string, unknown>>): Source {
  const kind = SOURCE_KINDS.find((known) => known.kind === options["kind"]);
  const answer = kind?.configure(options);
  if (answer?.ok !== true) throw new Error(JSON.stringify(answer));
  const source = answer.source.open(world);
  onTestFinished(() => source.close());
  return source;
}

async function folder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "trainwatch-source-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await write(dir, files);
  return dir;
}

async function write(dir: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), content);
  }
}

async function exporter(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

/** Readings of a batch by name and labels; `stale` for the marker. */
function readingsOf({ dictionary, rows }: ReadingBatch): Readonly<Record<string, number | "stale">> {
  const found: Record<string, number | "stale"> = {};
  for (const { presence, values } of rows) {
    const view = new DataView(values.buffer, values.byteOffset, values.byteLength);
    let at = 0;
    for (const [index, [name, labels]] of (dictionary.series ?? []).entries()) {
      if (presence !== null && ((presence[index >> 3] ?? 0) & (1 << (index & 7))) === 0) continue;
      const isStale = view.getUint32(at, true) === STALE_LOW_BITS && view.getUint32(at + 4, true) === STALE_HIGH_BITS;
      found[[name, ...Object.values(labels)].join(" ")] = isStale ? "stale" : view.getFloat64(at, true);
      at += 8;
    }
  }
  return found;
}

const batches = (world: TestSourceWorld): readonly ReadingBatch[] => world.taken.flatMap(({ readings }) => readings ?? []);
const lastReadings = (world: TestSourceWorld): unknown =>
  readingsOf(batches(world).at(-1) ?? { dictionary: { digest: "" }, rows: [], count: 0 });
const events = (world: TestSourceWorld) => world.taken.flatMap((output) => output.events ?? []);

describe("scrape", () => {
  it("reads text and OpenMetrics, and names the node, whatever the exporter thinks where it is", async () => {
    const url = await exporter((request, response) => {
      response.setHeader("content-type", "application/openmetrics-text; version=1.0.0");
      response.end(request.headers.accept?.includes("openmetrics") ? 'up{job="own",a="1"} 1\n# EOF\n' : "");
    });
    const world = createSourceWorld();
    await open(world, { kind: "scrape", url }).collect(RUNNING);
    const port = new URL(url).port;
    expect(batches(world)).toHaveLength(1);
    expect(batches(world)[0]?.dictionary).toMatchObject({
      shared: { job: "scrape", instance: `c11-n07:${port}`, nodename: "c11-n07", machine_id: "machine-1" },
      series: [["up", { exported_job: "own", a: "1" }]],
    });
  });

  it("sends the stale marker once for a series that is no longer there, and for all when the exporter is gone three times", async () => {
    let text: string | null = "a 1\nb 2\n";
    const url = await exporter((_, response) => (text === null ? response.writeHead(503).end() : response.end(text)));
    const world = createSourceWorld();
    const source = open(world, { kind: "scrape", url });
    await source.collect(RUNNING);
    text = "a 3\n";
    await source.collect(RUNNING);
    expect(lastReadings(world)).toEqual({ a: 3, b: "stale" });
    await source.collect(RUNNING);
    expect(lastReadings(world)).toEqual({ a: 3 });
    text = null;
    for (let index = 0; index < 4; index++) await expect(source.collect(RUNNING)).rejects.toThrow("status 503");
    expect(batches(world)).toHaveLength(4);
    expect(lastReadings(world)).toEqual({ a: "stale" });
  });

  it("keeps the digest of its series as long as they are the same, and begins anew where they all change", async () => {
    let round = 0;
    const url = await exporter((_, response) =>
      response.end(Array.from({ length: 100 }, (__, index) => `m{pod="${round}-${index}"} ${index}\n`).join("")),
    );
    const world = createSourceWorld();
    const source = open(world, { kind: "scrape", url });
    await source.collect(RUNNING);
    await source.collect(RUNNING);
    for (round = 1; round < 10; round++) await source.collect(RUNNING);
    const [first, second, ...others] = batches(world).map(({ dictionary }) => dictionary);
    expect(second?.digest).toBe(first?.digest);
    expect(Math.max(...others.map(({ series }) => series?.length ?? 0))).toBeLessThanOrEqual(400);
    expect(
      Object.values(readingsOf(batches(world).at(-1) ?? { dictionary: { digest: "" }, rows: [], count: 0 })).filter(
        (value) => value === "stale",
      ),
    ).toHaveLength(100);
  });

  it.each<[string, RequestListener, RegExp, object]>([
    ["a page that is no exposition", (_, response) => response.end("<html>"), /no sample in the answer; line 1/, {}],
    ["an answer that never ends", (_, response) => void response.write("a 1\n"), /no answer within 0.1 s/, { timeout: "100ms" }],
    [
      "a refusal, and tells nothing of what may be secret in the address",
      (_, response) => response.writeHead(401).end(),
      /^http:\/\/127\.0\.0\.1:\d+ answers with status 401$/,
      {},
    ],
    ["an answer that is too long", (_, response) => response.end("a 1\n".repeat(1000)), /longer than 1000 bytes/, { maxBytes: "1kB" }],
    [
      "OpenMetrics that is cut short",
      (_, response) => response.writeHead(200, { "content-type": "application/openmetrics-text" }).end("a 1\n"),
      /cut short/,
      {},
    ],
  ])("fails on %s", async (_what, listener, why, options) => {
    const world = createSourceWorld();
    await expect(open(world, { kind: "scrape", url: await exporter(listener), ...options }).collect(RUNNING)).rejects.toThrow(why);
    expect(world.taken).toEqual([]);
  });
});

/** A record of the kernel's ring, as a read of the device gives it. */
const kernelRecord = (sequence: number, text: string): string => `4,${sequence},${sequence * 1_000_000},-;${text}\n SUBSYSTEM=pci\n`;
const XID = "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.";

describe("kmsg and file", () => {
  it("turn lines into events, each taken with the place behind it, over rotation and a restart", async () => {
    const dir = await folder({ "kern.log": "" });
    const path = join(dir, "kern.log");
    const world = createSourceWorld();
    const options = { kind: "file", path, log: "kernel", from: "start" };
    const source = open(world, options);
    await appendFile(path, `Nov 29 10:00:00 n1 kernel: [1.0] ${XID}\nNov 29 10:00:01 n1 kernel: [2.0] nothing\nNov 29 10:00:02 n1 ker`);
    await source.collect(RUNNING);
    expect(events(world)).toMatchObject([{ kind: "xid", code: 79, entity: { kind: "gpu" } }]);
    world.refuse(new Error("no room"));
    await appendFile(path, `nel: [3.0] ${XID.replace("79", "48")}\n`);
    await expect(source.collect(RUNNING)).rejects.toThrow("no room");
    world.refuse(null);
    await rename(path, `${path}.1`);
    await writeFile(path, `Nov 29 10:00:03 n1 kernel: [4.0] ${XID.replace("79", "31")}\n`);
    const again = open(world, options);
    for (let index = 0; index < 4; index++) await again.collect(RUNNING);
    expect(events(world).map(({ code }) => code)).toEqual([79, 48, 31]);
  });

  it("tell lines that a rotation took away as an event, beside those that are left", async () => {
    const dir = await folder({ "kern.log": `Nov 29 10:00:00 n1 kernel: [1.0] ${XID}\n` });
    const path = join(dir, "kern.log");
    const world = createSourceWorld();
    const source = open(world, { kind: "file", path, log: "kernel", from: "start" });
    await source.collect(RUNNING);
    await writeFile(path, "Nov 29 10:00:03 x\n");
    await source.collect(RUNNING);
    expect(events(world).map(({ kind, severity }) => [kind, severity])).toEqual([
      ["xid", "critical"],
      ["source-failed", "warning"],
    ]);
    expect(events(world)[1]?.text).toContain("may be lost");
  });

  it("reads the kernel's ring once each record, over a restart, and anew after a boot", async () => {
    const world = createSourceWorld();
    const ring = [kernelRecord(1, XID), kernelRecord(2, "usb 1-1: new device"), kernelRecord(3, XID.replace("79", "48"))];
    let lost = false;
    const device = async () => {
      let at = 0;
      return {
        next: async () => {
          if (lost) {
            lost = false;
            return "lost" as const;
          }
          const record = ring[at++];
          return record === undefined ? (at--, null) : Buffer.from(record);
        },
        close: () => Promise.resolve(),
      };
    };
    const source = new KmsgRing("/dev/kmsg", world, device);
    await source.collect(RUNNING);
    await source.collect(RUNNING);
    ring.push(kernelRecord(4, XID.replace("79", "31")));
    world.refuse(new Error("no room"));
    await expect(source.collect(RUNNING)).rejects.toThrow("no room");
    world.refuse(null);
    lost = true;
    await new KmsgRing("/dev/kmsg", world, device).collect(RUNNING);
    expect(events(world).map(({ code }) => code)).toEqual([79, 48, 31]);
    expect(world.said).toEqual(["/dev/kmsg: the kernel's ring went on over records that nobody had read"]);
    const booted = { ...world, node: { ...world.node, bootId: "boot-2" } };
    ring.splice(0, ring.length, kernelRecord(1, XID.replace("79", "119")));
    await new KmsgRing("/dev/kmsg", booted, device).collect(RUNNING);
    expect(events(world).at(-1)?.code).toBe(119);
  });

  it("follow a file in the kernel's format as the device itself", async () => {
    const dir = await folder({ kmsg: kernelRecord(1, XID) });
    const world = createSourceWorld();
    await open(world, { kind: "kmsg", path: join(dir, "kmsg") }).collect(RUNNING);
    expect(events(world)).toMatchObject([{ kind: "xid", code: 79 }]);
  });
});

describe("exec", () => {
  it("reads what a command says and fails with its complaint where that is nothing", async () => {
    const world = createSourceWorld();
    await open(world, { kind: "exec", command: ["/bin/echo", 'a{b="1"} 2'], reads: "exposition" }).collect(RUNNING);
    expect(lastReadings(world)).toEqual({ "a 1": 2 });
    const broken = open(world, { kind: "exec", command: ["/bin/sh", "-c", "echo driver not loaded >&2; exit 9"], reads: "exposition" });
    await expect(broken.collect(RUNNING)).rejects.toThrow("/bin/sh (exit code 9) gave no reading: driver not loaded");
  });
});

describe("exec of nvidia-smi", () => {
  it("gives a GPU that is lost as one event however often it is asked, and again after it was back", async () => {
    const dir = await folder({
      "lost.txt": "Unable to determine the device handle for GPU0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU\n",
    });
    const path = join(dir, "lost.txt");
    const lost = await readFile(path, "utf8");
    const world = createSourceWorld();
    const options = { kind: "exec", command: ["/bin/cat", path], reads: "nvidia-smi" };
    const source = open(world, options);
    await source.collect(RUNNING);
    await source.collect(RUNNING);
    await open(world, options).collect(RUNNING);
    expect(events(world)).toMatchObject([
      { kind: "gpu-lost", severity: "critical", entity: { id: "pci:0000:3b:00" }, timeMs: world.clock.now() },
    ]);
    await writeFile(
      path,
      "==============NVSMI LOG==============\n\nAttached GPUs : 1\nGPU 00000000:3B:00.0\n    GPU UUID : GPU-11111111-2222-3333-4444-555555555555\n    Temperature\n        GPU Current Temp : 41 C\n",
    );
    await source.collect(RUNNING);
    await writeFile(path, lost);
    await source.collect(RUNNING);
    expect(events(world)).toHaveLength(2);
  });
});

describe("infiniband", () => {
  it("reads ports from sysfs under the names of node_exporter and tells a port that goes down and comes back", async () => {
    const port = "mlx5_0/ports/1";
    const dir = await folder({
      [`${port}/state`]: "4: ACTIVE\n",
      [`${port}/phys_state`]: "5: LinkUp\n",
      [`${port}/rate`]: "400 Gb/sec (4X NDR)\n",
      [`${port}/counters/port_rcv_data`]: "250\n",
      [`${port}/counters/symbol_error`]: "N/A (no PMA)\n",
      [`${port}/hw_counters/out_of_sequence`]: "7\n",
    });
    const world = createSourceWorld();
    const options = { kind: "infiniband", root: dir };
    const source = open(world, options);
    await source.collect(RUNNING);
    expect(lastReadings(world)).toEqual({
      "node_infiniband_state_id mlx5_0 1": 4,
      "node_infiniband_physical_state_id mlx5_0 1": 5,
      "node_infiniband_rate_bytes_per_second mlx5_0 1": 5e10,
      "node_infiniband_port_data_received_bytes_total mlx5_0 1": 1_000,
      "node_infiniband_out_of_sequence_total mlx5_0 1": 7,
    });
    await write(dir, { [`${port}/state`]: "1: DOWN\n" });
    await source.collect(RUNNING);
    await open(world, options).collect(RUNNING);
    await write(dir, { [`${port}/state`]: "4: ACTIVE\n" });
    await open(world, options).collect(RUNNING);
    expect(events(world)).toMatchObject([
      { kind: "link-down", entity: { kind: "port", id: "machine-1/port/mlx5_0:1" }, text: "Port mlx5_0:1 went from ACTIVE to DOWN" },
      { kind: "link-up" },
    ]);
  });

  it("fails where there is nothing to read", async () => {
    await expect(open(createSourceWorld(), { kind: "infiniband", root: await folder() }).collect(RUNNING)).rejects.toThrow("shows no port");
  });
});

describe("trainer", () => {
  const lines = (from: number, to: number): string =>
    Array.from({ length: to - from }, (_, index) => `{"step": ${from + index}, "loss": ${(from + index) / 8}, "lr": 0.001}\n`).join("");
  const values = (world: TestSourceWorld): readonly (number | null | undefined)[] =>
    world.taken.flatMap(({ pushes }) =>
      (pushes ?? []).flatMap((push) => push.columns?.[push.series?.findIndex(({ metric }) => metric === "loss") ?? -1]?.value ?? []),
    );
  const losses = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, index) => (from + index) / 8);

  it("follows a growing log, each line once, over a restart and while nothing can be taken", async () => {
    const dir = await folder({ "train.jsonl": lines(0, 2_000) });
    const path = join(dir, "train.jsonl");
    const world = createSourceWorld();
    const options = { kind: "trainer", path, run: "lab/base", gpus: 8 };
    const source = open(world, options);
    await source.collect(RUNNING);
    await appendFile(path, lines(2_000, 2_500));
    world.refuse(new Error("no room"));
    await expect(source.collect(RUNNING)).rejects.toThrow("no room");
    world.refuse(null);
    await appendFile(path, lines(2_500, 2_600));
    await source.collect(RUNNING);
    expect(values(world)).toEqual(losses(0, 2_600));
    await appendFile(path, lines(2_600, 2_700));
    const again = open(world, options);
    await again.collect(RUNNING);
    await again.collect(RUNNING);
    expect(values(world)).toEqual(losses(0, 2_700));
    expect(world.taken[0]?.pushes?.[0]).toMatchObject({ run: { project: "lab", name: "base" }, metadata: { gpus: 8 }, seq: 0 });
  });

  it("goes on in the new file when the log is rotated, also between two starts", async () => {
    const dir = await folder({ "train.jsonl": lines(0, 300) });
    const path = join(dir, "train.jsonl");
    const world = createSourceWorld();
    const options = { kind: "trainer", path, run: "lab/base", format: "jsonl" };
    await open(world, options).collect(RUNNING);
    await appendFile(path, lines(300, 400));
    await rename(path, `${path}.1`);
    await writeFile(path, lines(400, 500));
    const again = open(world, options);
    for (let index = 0; index < 4; index++) await again.collect(RUNNING);
    expect(values(world)).toEqual(losses(0, 500));
  });

  it("refuses a document that is written anew each time", async () => {
    const state = '{"log_history": [{"loss": 2.5, "step": 10, "epoch": 0.1}], "global_step": 10, "max_steps": 100, "total_flos": 1.0}\n';
    const dir = await folder({ "trainer_state.json": state });
    const source = open(createSourceWorld(), { kind: "trainer", path: join(dir, "trainer_state.json"), run: "lab/base" });
    await expect(source.collect(RUNNING)).rejects.toThrow("use `trainwatch import`");
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspect } from "../../commands/inspect.ts";
import { runCli } from "../../frame/run-cli.ts";
import { createTestIo } from "../../frame/test-io.fixture.ts";
import type { InspectReport } from "../report.ts";

const DMESG = Array.from({ length: 3 }, (_, second) => [
  `[Sun Feb 23 16:24:1${second} 2025] NVRM: Xid (PCI:0000:9b:00): 79, pid=1, name=python, GPU has fallen off the bus.`,
  `[Sun Feb 23 16:24:1${second} 2025] usb 1-1: new high-speed USB device`,
])
  .flat()
  .join("\n");
const SMI =
  "GPU 0: NVIDIA H100 (UUID: GPU-9b1f0c3e-1111-2222-3333-444455556666)\n\t Link 0: Replay Errors: 4\n\t Link 1: Replay Errors: 0\n";
const TRAIN = Array.from({ length: 40 }, (_, step) => `{"step":${step},"loss":${2 + Math.sin(step) / 50}}`).join("\n");
const HANG =
  "\n[rank3]: [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=7, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600060 milliseconds\n";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "trainwatch-inspect-health-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function run(...argv: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const io = createTestIo();
  return { code: await runCli(["inspect", ...argv], [inspect], io), ...io.written };
}

async function report(...argv: readonly string[]): Promise<InspectReport> {
  return JSON.parse((await run(...argv, "--json")).out);
}

describe("inspect on a machine's logs and outputs", () => {
  it("prints XIDs with the catalogue's name and action, how often, and from when to when", async () => {
    const { code, out } = await run(await file("dmesg.txt", DMESG), "--tz", "UTC");
    expect(code).toBe(0);
    expect(out).toContain(
      "critical: XID 79, GPU has fallen off the bus on pci:0000:9b:00, 3 times, 2025-02-23 16:24:10Z to 2025-02-23 16:24:12Z",
    );
    expect(out).toContain("Drain and reboot the node");
    expect(out).not.toContain("usb");
  });

  it("gives scripts the same under health, with runs empty and the input's format", async () => {
    const { inputs, runs, health } = await report(await file("dmesg.txt", DMESG), "--tz", "UTC");
    expect([inputs[0]?.format, inputs[0]?.lines, runs]).toEqual(["kernel-log", 6, []]);
    expect(health).toMatchObject([
      {
        format: "kernel-log",
        eventsTotal: 3,
        readingsTotal: 0,
        events: [
          {
            kind: "xid",
            code: 79,
            severity: "critical",
            count: 3,
            line: 1,
            firstTime: "2025-02-23T16:24:10.000Z",
            lastTime: "2025-02-23T16:24:12.000Z",
          },
        ],
      },
    ]);
  });

  it("summarises readings by metric, gzip or not", async () => {
    const { health } = await report(await file("nvlink.txt.gz", gzipSync(SMI)));
    expect(health).toMatchObject([
      {
        format: "nvidia-smi",
        readingsTotal: 2,
        readings: [
          { name: "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_PER_LINK_TOTAL", title: "Link replays", series: 2, min: 0, max: 4, invalid: 0 },
        ],
      },
    ]);
    expect((await run(await file("nvlink.txt", SMI))).out).toContain("Link replays: 0 to 4 · 2 series");
  });

  it("counts sentinels apart and keeps them out of the range", async () => {
    const text =
      '# TYPE DCGM_FI_DEV_FB_USED gauge\nDCGM_FI_DEV_FB_USED{gpu="0",UUID="GPU-a"} 12\nDCGM_FI_DEV_FB_USED{gpu="1",UUID="GPU-b"} 9223372036854775794\n';
    const { health } = await report(await file("dcgm.prom", text));
    expect(health[0]?.readings).toMatchObject([{ readings: 2, min: 12, max: 12, invalid: 1 }]);
  });

  it("exits 1 with --fail-on where an event is so bad, and 0 where none is", async () => {
    const path = await file("dmesg.txt", DMESG);
    expect((await run(path, "--fail-on", "critical")).code).toBe(1);
    expect((await run(await file("nvlink.txt", SMI), "--fail-on", "warning")).code).toBe(0);
  });

  it("says without a line what is wrong with a document as a whole", async () => {
    const { inputs } = await report(await file("smi.xml", "<nvidia_smi_log><gpu>"));
    expect(inputs[0]).toMatchObject({ format: "nvidia-smi-xml", issues: [{ line: null, code: "bad-xml" }] });
  });

  it("tells a trainer's time-outs in NCCL beside its run", async () => {
    const { runs, health } = await report(await file("train.jsonl", TRAIN + HANG));
    expect(runs).toHaveLength(1);
    expect(health).toMatchObject([{ format: "nccl", events: [{ kind: "nccl", severity: "critical", subCode: "ALLREDUCE #7", line: 41 }] }]);
  });
});

import { describe, expect, it } from "vitest";
import { collectHealth } from "../collect-health.fixture.ts";
import type { HealthOptions } from "../contract.ts";
import { DMESG_HUMAN, KMSG, SYSLOG } from "../samples.fixture.ts";
import { kernelLogParser } from "./kernel-log.ts";
import { readKmsgHead } from "./kmsg-record.ts";

const read = (text: string, options: HealthOptions = {}) => collectHealth(kernelLogParser, text, options);
const events = (text: string, options: HealthOptions = {}) => read(text, options).events;
const first = (text: string) => events(text)[0];

describe("kernel log", () => {
  it("reads /dev/kmsg: time since boot, continuation lines, the GPU's UUID, an SXid once", () => {
    const found = events(KMSG, { bootTimeMs: 1_000_000, node: "m-1" });
    expect(found).toMatchObject([
      {
        kind: "xid",
        code: 79,
        severity: "critical",
        timeMs: 1_060_000,
        line: 3,
        entity: { kind: "gpu", id: "GPU-9b1f0c3e-1111-2222-3333-444455556666" },
        text: "Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus.",
      },
      { kind: "sxid", code: 20034, subCode: "link 30", severity: "critical", entity: { kind: "switch", id: "m-1/switch/3" }, line: 6 },
    ]);
    expect(found).toHaveLength(2);
  });

  it("knows no time since boot without the boot, and says nothing rather than a wrong one", () => {
    expect(events(KMSG).map(({ timeMs }) => timeMs)).toEqual([null, null]);
  });

  it("undoes the kernel's escapes, of UTF-8 and of bytes that are none", () => {
    expect(readKmsgHead(String.raw`12,107,62000000,-;caf\xc3\xa9 says \x5c hello`)).toEqual({
      level: 4,
      facility: 1,
      sequence: 107,
      sinceBootUs: 62_000_000,
      text: "café says \\ hello",
    });
    expect(readKmsgHead(String.raw`6,1,1,-;\xff`)?.text).toBe("ÿ");
    expect(readKmsgHead(" SUBSYSTEM=pci")).toBeNull();
  });

  it("places dmesg -T in the given zone, and says so where it had to take UTC", () => {
    expect(events(DMESG_HUMAN, { timeZone: "Europe/Paris" })[0]?.timeMs).toBe(Date.UTC(2025, 1, 23, 15, 24, 18));
    expect(read(DMESG_HUMAN).issues).toMatchObject([{ line: 1, code: "zone-assumed" }]);
  });

  it("keeps NVLink 5 words and tells fatal from non-fatal; XID 154 by what the driver asks for", () => {
    expect(events(DMESG_HUMAN).map(({ code, subCode, severity }) => [code, subCode, severity])).toEqual([
      [149, "NETIR_LINK_EVT link 9 0x01120486 0x00000000", "critical"],
      [145, "RLW_RSP link 17 0x00000004 0x80000000", "warning"],
      [154, "GPU Reset Required", "critical"],
      [154, "None", "info"],
    ]);
  });

  it("reads syslog: year from the file's time, kernel lines only, links down and up", () => {
    const found = events(SYSLOG, { referenceTimeMs: Date.UTC(2025, 5, 1), node: "name:c11-n07" });
    expect(found.map(({ kind, severity, entity }) => [kind, severity, entity?.id])).toEqual([
      ["xid", "critical", "pci:0000:9b:00"],
      ["link-down", "warning", "name:c11-n07/port/ens3f0np0"],
      ["link-up", "info", "name:c11-n07/port/ens3f0np0"],
    ]);
    expect(found[0]?.timeMs).toBe(Date.UTC(2025, 1, 23, 16, 24, 18));
    expect(events(SYSLOG)[0]?.timeMs).toBeNull();
  });

  it.each([
    ["[   12.500000] ", 1_012_500],
    ["kern  :warn  : [   12.500000] ", 1_012_500],
    ["<4>[   12.500000] ", 1_012_500],
    ["2025-02-23T16:24:18,500000+01:00 ", Date.UTC(2025, 1, 23, 15, 24, 18, 500)],
    ["2025-02-23T16:24:18.500000+00:00 c11-n07 kernel: ", Date.UTC(2025, 1, 23, 16, 24, 18, 500)],
    ["2025-02-23T16:24:18+0000 c11-n07 kernel: [   12.500000] ", Date.UTC(2025, 1, 23, 16, 24, 18)],
    ["[   12.500000] c11-n07 kernel: ", 1_012_500],
    ["[Feb23 16:24] ", null],
    ["[  +0.000012] ", null],
  ])("reads a line that begins with %j", (prefix, timeMs) => {
    const line = `${prefix}NVRM: Xid (PCI:0018:01:00): 31, pid=1, name=a, Ch 00000008`;
    expect(events(line, { bootTimeMs: 1_000_000 })).toMatchObject([
      { kind: "xid", code: 31, severity: "info", timeMs, entity: { id: "pci:0018:01:00" } },
    ]);
  });

  it("takes an XID that nobody knows for a warning, and no XID out of other programs' lines", () => {
    expect(first("[ 1.0] NVRM: Xid (PCI:0000:3b:00): 9999, something new")).toMatchObject({ code: 9999, severity: "warning" });
    expect(events("Feb 23 16:24:18 c11-n07 grep[1]: NVRM: Xid (PCI:0000:3b:00): 79, x")).toEqual([]);
    expect(events("NVRM: Xid (PCI:0000:3b:00): 79, a line without any time is of no kernel log")).toEqual([]);
  });

  it("tells a kill for memory once, by the first of its lines", () => {
    const kill = [
      "[  100.0] python invoked oom-killer: gfp_mask=0xcc0, order=0",
      "[  100.1] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,task=python,pid=4711,uid=0",
      "[  100.2] Memory cgroup out of memory: Killed process 4711 (python) total-vm:1kB, anon-rss:2kB",
      "[  100.3] oom_reaper: reaped process 4711 (python), now anon-rss:0kB",
      "[  105.2] Out of memory: Killed process 4712 (python) total-vm:1kB",
      "[  300.2] Out of memory: Killed process 4711 (python) total-vm:1kB",
    ].join("\n");
    expect(events(kill, { bootTimeMs: 0 }).map(({ kind, subCode, line }) => [kind, subCode, line])).toEqual([
      ["oom", "python", 2],
      ["oom", "python", 5],
      ["oom", "python", 6],
    ]);
  });

  it.each([
    ["NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.", "gpu-lost", "critical", null, "pci:0000:3b:00"],
    ["NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x24:0x72:1500)", "gpu-lost", "critical", "0x24:0x72:1500", "pci:0000:3b:00"],
    [
      "nvidia 0000:3b:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Receiver ID)",
      "kernel",
      "critical",
      "pcie fatal",
      "pci:0000:3b:00",
    ],
    [
      "nvidia 0000:3b:00.0: PCIe Bus Error: severity=Correctable, type=Data Link Layer, (Transmitter ID)",
      "kernel",
      "info",
      "pcie corrected",
      "pci:0000:3b:00",
    ],
    [
      "nvme 0000:41:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), type=Transaction Layer",
      "kernel",
      "warning",
      "pcie non-fatal",
      undefined,
    ],
    ["EDAC MC0: 1 UE memory read error on CPU_SrcID#0_Ha#0_Chan#1_DIMM#0", "kernel", "critical", "edac uncorrected", undefined],
    ["mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 9: be00000000800400", "kernel", "critical", "machine check", undefined],
    ["{1}[Hardware Error]: event severity: recoverable", "kernel", "warning", "firmware recoverable", undefined],
    ["watchdog: BUG: soft lockup - CPU#12 stuck for 22s! [python:1]", "kernel", "critical", "lockup", undefined],
    ["Kernel panic - not syncing: Fatal exception", "kernel", "critical", "panic", undefined],
    ["INFO: task python:280058 blocked for more than 120 seconds.", "kernel", "warning", "hung task python", undefined],
    [
      "python[1]: segfault at 7f ip 00 sp 00 error 4 in libnccl.so.2[7f7c7ac00000+d3d3000] likely on CPU 3 (core 1, socket 0)",
      "nccl",
      "warning",
      "crash in libnccl.so.2",
      undefined,
    ],
    [
      "traps: python[1] general protection fault ip:7f sp:7f error:0 in libc.so.6[7f00+1000]",
      "kernel",
      "info",
      "crash of python",
      undefined,
    ],
    ["mlx5_core 0000:5e:00.0: Port module event: module 0, Cable unplugged", "link-down", "warning", "cable", "port/0000:5e:00.0"],
    [
      "mlx5_core 0000:5e:00.0: Port module event[error]: module 0, Cable error, High Temperature",
      "kernel",
      "warning",
      "cable error",
      "port/0000:5e:00.0",
    ],
    ["hfi1 0000:45:00.0: hfi1_0: 8051: Link up", "link-up", "info", null, "port/hfi1_0:1"],
    ["IPv6: ADDRCONF(NETDEV_CHANGE): ib0: link becomes ready", "link-up", "info", null, "port/ib0"],
  ])("%s", (text, kind, severity, subCode, entity) => {
    expect(events(`[ 1.0] ${text}`).map((event) => [event.kind, event.severity, event.subCode, event.entity?.id])).toEqual([
      [kind, severity, subCode, entity],
    ]);
  });

  it("counts as many corrected memory errors as the line does, and takes notes and containers' links for nothing", () => {
    expect(first("[ 1.0] EDAC MC0: 7 CE memory read error on DIMM#0")).toMatchObject({ count: 7, severity: "info" });
    const quiet = [
      "EDAC MC0: Giving out device to module ghes_edac",
      "IPv6: ADDRCONF(NETDEV_CHANGE): eth0: link becomes ready",
      "igb 0000:01:00.0 eno1: igb: eno1 NIC Link is Up 1000 Mbps",
      "MCE: In-kernel MCE decoding enabled.",
    ];
    expect(events(quiet.map((text) => `[ 1.0] ${text}`).join("\n"))).toEqual([]);
  });

  it("cuts a text of any length to what an event may hold", () => {
    const text = first(`[ 1.0] NVRM: Xid (PCI:0000:3b:00): 13, ${"\u{1f4a5}".repeat(3_000)}`)?.text ?? "";
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(/\p{Surrogate}/u.test(text)).toBe(false);
  });
});

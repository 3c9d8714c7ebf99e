import { XIDS } from "@trainwatch/core";
import type { Finding, FleetEventView } from "@trainwatch/core";
import { describe, expect, it } from "vitest";
import { T0, gpuName, play, topologyOf, xidEvent } from "../testing/fleet.fixture.ts";
import { xid } from "./xid.ts";

const topology = topologyOf({ nodes: 8 });

/** Findings after bursts that come at the ticks given; `growing` are the same bursts with more. */
function after(events: Readonly<Record<number, readonly FleetEventView[]>>, ticks = 60, over = topology): readonly Finding[] {
  return play([xid], { topology: over, events: (tick) => events[tick] ?? [] }, ticks).findings;
}

const brief = (findings: readonly Finding[]) => findings.map(({ subject, severity, metric }) => [subject.id, metric, severity]);

describe("XID", () => {
  it("gives every code of the table its severity, class and action", () => {
    for (const { number, policy, class: kind } of XIDS) {
      const [finding] = after({ 0: [xidEvent({ code: number, node: 1, gpu: 2 })] }, 10, topologyOf({ nodes: 8, runOf: () => null }));
      const severity = policy === "page" ? "critical" : policy === "ticket" ? "warning" : "info";
      expect([number, finding?.severity, finding?.subject.id, finding?.place?.host]).toEqual([number, severity, gpuName(1, 2), "c1"]);
      expect(finding?.evidence.map(({ text }) => text).join(" ")).toContain(`Class: ${kind}.`);
      expect(finding?.evidence[1]?.source).toContain("XID table 2");
    }
  });

  it("one burst is one finding, however it grows", () => {
    const burst = xidEvent({ code: 94, node: 0 });
    const grown = Object.fromEntries(
      Array.from({ length: 20 }, (_, tick) => [tick, [{ ...burst, count: 1 + tick * 50, lastTimeMs: T0 + tick * 10_000 }]]),
    );
    const findings = after(grown, 90);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.summary).toContain("lines)");
    expect(findings[0]?.peakValue).toBe(951);
    expect(findings[0]?.facts).toContainEqual({ fact: "node-memory-error", value: 0 });
  });

  it("F1: one XID 79 and then 170,000 XID 45 on 400 nodes is one page and one folded note", () => {
    const large = topologyOf({ nodes: 400 });
    const first = xidEvent({ code: 79, node: 17, gpu: 3, timeMs: T0 + 1_000 });
    const floods = Array.from({ length: 3_200 }, (_, at) =>
      xidEvent({ code: 45, node: Math.floor(at / 8), gpu: at % 8, timeMs: T0 + 2_000 + (at % 28) * 1_000 }),
    );
    const events: Record<number, readonly FleetEventView[]> = {};
    for (let tick = 1; tick <= 20; tick++) {
      const count = tick === 20 ? 54 : 1 + Math.floor((52 * tick) / 20);
      events[tick] = [
        ...floods.map((flood) => ({ ...flood, count, lastTimeMs: flood.timeMs + tick * 9_000 })),
        ...(tick === 1 ? [first] : []),
      ];
    }
    const findings = after(events, 80, large);
    expect(brief(findings)).toEqual([
      [gpuName(17, 3), "xid 79", "critical"],
      [gpuName(17, 3), "xid teardown", "info"],
    ]);
    expect(findings[1]?.peakValue).toBe(172_800);
    expect(findings[1]?.summary).toContain("400 nodes");
    expect(findings[0]?.facts).toContainEqual({ fact: "gpu-error", value: 79 });
  });

  it("F1: XID 45 that is read before the XID 79 that began it is folded as well", () => {
    const early = xidEvent({ code: 45, node: 2, gpu: 1, timeMs: T0 + 4_000 });
    const late = xidEvent({ code: 79, node: 1, gpu: 0, timeMs: T0 + 1_000 });
    expect(brief(after({ 1: [early], 3: [late] }))).toEqual([
      [gpuName(1, 0), "xid 79", "critical"],
      [gpuName(1, 0), "xid teardown", "info"],
    ]);
  });

  it("what a node brings hours late, piece by piece, is counted and tied to its cause as if it had come at once", () => {
    const hoursAgo = T0 - 3 * 3_600_000;
    const cause = xidEvent({ code: 79, node: 1, gpu: 0, timeMs: hoursAgo });
    const flood = Array.from({ length: 8 }, (_, at) => xidEvent({ code: 45, node: 2 + (at % 4), gpu: at, timeMs: hoursAgo + 2_000 }));
    const grown = (count: number) => ({ count, lastTimeMs: hoursAgo + 2_000 + count * 100 });
    const memory = xidEvent({ code: 94, node: 6, timeMs: hoursAgo });
    const events = {
      1: [cause, { ...memory, ...grown(10) }],
      4: flood.slice(0, 4).map((event) => ({ ...event, ...grown(20) })),
      6: [...flood.map((event) => ({ ...event, ...grown(50) })), { ...memory, ...grown(25) }],
    };
    const findings = after(events, 20);
    expect(findings.map(({ metric, subject, peakValue }) => [metric, subject.id, peakValue])).toEqual([
      ["xid 79", gpuName(1, 0), 1],
      ["xid 94", gpuName(6, 0), 25],
      ["xid teardown", gpuName(1, 0), 400],
    ]);
    expect(findings[2]?.summary).toContain("400 XIDs 45 and 43 on 4 nodes");
  });

  it("a job that is ended has one note, on the run", () => {
    const all = Array.from({ length: 64 }, (_, at) => xidEvent({ code: 45, node: Math.floor(at / 8), gpu: at % 8 }));
    const findings = after({ 0: all });
    expect(brief(findings)).toEqual([["lab/run1", "xid teardown", "info"]]);
    expect(findings[0]?.summary).toContain("64 XIDs 45 and 43 on 8 nodes");
  });

  it("XID 45 long after another error follows from nothing", () => {
    const findings = after({ 0: [xidEvent({ code: 79, node: 1 })], 12: [xidEvent({ code: 45, node: 5, timeMs: T0 + 120_000 })] });
    expect(brief(findings)).toEqual([
      [gpuName(1, 0), "xid 79", "critical"],
      ["lab/run1", "xid teardown", "info"],
    ]);
  });

  it.each([
    ["145, RLW_RSP Nonfatal XC0 i0 Link 17 (0x00000004 0x80000000 0x0 0x0)", 145, "warning"],
    ["145, RLW_RSP Fatal XC0 i0 Link 17 (0x00000004 0x00000001 0x0 0x0)", 145, "critical"],
    ["145, RLW_REMAP Fatal XC0 i0 Link 17 (0x00000004 0x00000001 0x0 0x0)", 145, "warning"],
    ["149, NETIR_LINK_EVT/NETIR_LINK_DOWN Fatal XC0 i0 Link 03 (0x01120486 0x00000000 0x0 0x0)", 149, "critical"],
    ["149, NETIR_LINK_EVT/NETIR_LINK_DOWN Fatal XC0 i0 Link 03 (0x02600011 0x00000000 0x0 0x0)", 149, "warning"],
    ["149, NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x00086226 0x00000001 0x0 0x0)", 149, "warning"],
    ["150, MSE_WATCHDOG Fatal XC0 i0 Link -1 (0x00000000 0x00000000 0x0 0x0)", 150, "critical"],
    ["63, pid=1, Row Remapper: New row marked for remapping", 63, "warning"],
    ["64, pid=1, Row Remapper Error: All reserved rows for bank are remapped", 64, "critical"],
    ["154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)", 154, "info"],
    ["154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)", 154, "critical"],
  ])("F4: %s", (said, code, severity) => {
    const [finding] = after({ 0: [xidEvent({ code, node: 0, text: `Xid (PCI:0000:3b:00): ${said}` })] });
    expect(finding?.severity).toBe(severity);
  });

  it("F4: an NVLink error whose other end is the source says so", () => {
    const text = "Xid (PCI:0000:3b:00): 149, NETIR_LINK_EVT/NETIR_LINK_DOWN Fatal XC0 i0 Link 03 (0x02000011 0x00000000 0x0 0x0)";
    const [finding] = after({ 0: [xidEvent({ code: 149, node: 0, text })] });
    expect(finding?.evidence.some((item) => item.text.includes("other end of the link first"))).toBe(true);
  });

  it("F4: the gauge, which knows no sub-code, does not make a page of what the log calls not fatal", () => {
    const text = "Xid (PCI:0000:3b:00): 145, RLW_RSP Nonfatal XC0 i0 Link 17 (0x00000004 0x80000000 0x0)";
    const log = xidEvent({ code: 145, node: 0, text });
    const gauge = xidEvent({ code: 145, node: 0, text: "XID 145", timeMs: T0 + 9_000 });
    for (const events of [
      { 0: [log], 1: [gauge] },
      { 0: [gauge], 1: [log] },
    ]) {
      const findings = after(events);
      expect(brief(findings)).toEqual([[gpuName(0, 0), "xid 145", "warning"]]);
    }
  });

  it("three XID 13 on one GPU within half an hour, or a 13 and then a 31, are a ticket", () => {
    const at = (code: number, minute: number) => xidEvent({ code, node: 3, gpu: 1, timeMs: T0 + minute * 60_000 });
    expect(brief(after({ 0: [at(13, 0)] }))).toEqual([[gpuName(3, 1), "xid 13", "info"]]);
    expect(brief(after({ 0: [at(13, 0)], 36: [at(13, 6)], 90: [at(13, 15)] }, 150))).toEqual([[gpuName(3, 1), "xid 13", "warning"]]);
    expect(brief(after({ 0: [at(13, 0)], 36: [at(31, 6)] }, 90))).toEqual([
      [gpuName(3, 1), "xid 13", "info"],
      [gpuName(3, 1), "xid 31", "warning"],
    ]);
    expect(brief(after({ 0: [at(13, 0)], 240: [at(31, 40)] }, 300)).at(-1)).toEqual([gpuName(3, 1), "xid 31", "info"]);
  });

  it("the same application error on most nodes of a job at once is the application, once", () => {
    const most = Array.from({ length: 6 }, (_, node) => xidEvent({ code: 31, node, timeMs: T0 + node * 5_000 }));
    const findings = after({ 1: most.slice(0, 3), 3: most.slice(3) });
    expect(brief(findings)).toEqual([["lab/run1", "xid 31", "warning"]]);
    expect(findings[0]?.facts).toEqual([{ fact: "same-error-on-most-nodes", value: 0.75 }]);
    const few = after({ 1: most.slice(0, 4) });
    expect(few.map(({ subject }) => subject.kind)).toEqual(["gpu", "gpu", "gpu", "gpu"]);
  });

  it("162 takes 163 back", () => {
    const findings = after({ 0: [xidEvent({ code: 163, node: 0 })], 6: [xidEvent({ code: 162, node: 0, timeMs: T0 + 60_000 })] });
    expect(findings).toHaveLength(1);
    expect([findings[0]?.state, findings[0]?.endTimeMs]).toEqual(["recovered", T0 + 60_000]);
  });

  it("a fault stays open until a reboot; a note is over with its burst", () => {
    const reboot = xidEvent({ code: 0, node: 1, kind: "reboot", entity: null, timeMs: T0 + 500_000 });
    const fault = [xidEvent({ code: 79, node: 1 })];
    expect(after({ 0: fault }, 100)[0]?.state).toBe("ongoing");
    const healed = after({ 0: fault, 60: [reboot] }, 100)[0];
    expect([healed?.state, healed?.endTimeMs]).toEqual(["recovered", T0 + 500_000]);
    expect(after({ 0: [xidEvent({ code: 106, node: 1 })] }, 100)[0]?.state).toBe("recovered");
  });

  it("accuses the node where nobody knows which GPU is meant", () => {
    const [finding] = after({ 0: [xidEvent({ code: 79, node: 4, entity: { kind: "gpu", id: "pci:0000:3b:00" } })] });
    expect(finding?.subject).toEqual({ kind: "node", id: "m-4" });
    expect(finding?.place?.host).toBe("c4");
  });

  it("does not see without anybody who reads the driver's errors, and says so", () => {
    const { watch } = play([xid], { topology }, 2);
    expect(watch.coverage()).toEqual([
      { detector: "xid", sees: false, why: "no source brings DCGM_FI_DEV_XID_ERROR, trainwatch_agent_source_up" },
    ]);
  });
});

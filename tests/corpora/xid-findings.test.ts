import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { XID_ACTIONS, xidEntry } from "@trainwatch/core";
import type { FleetEventView, XidAction, XidClass } from "@trainwatch/core";
import { FLEET_DETECTORS, fleetWatchOf } from "@trainwatch/detect";
import type { FleetTick } from "@trainwatch/detect";
import { kernelLogParser } from "@trainwatch/formats";
import type { HealthEvent } from "@trainwatch/formats";
import { describe, expect, it } from "vitest";
import { CORPUS_FOLDER } from "./corpus-folder.ts";

const XID_TABLE = join(CORPUS_FOLDER, "../reference/xid.csv");
const T0 = 1_700_000_000_000;
const GPU = "GPU-9b1f0c3e-1111-2222-3333-444455556666";

/** The table's words as ours. */
const CLASSES: Readonly<Record<string, XidClass>> = {
  app: "application",
  ambiguous: "ambiguous",
  driver_fw: "driver",
  hw_gpu: "gpu",
  hw_link: "link",
  hw_memory: "memory",
  hw_pcie: "pcie",
  info: "info",
  power_thermal: "power",
  unused: "unused",
};
const ACTIONS: Readonly<Record<string, XidAction>> = {
  check_mechanical: "check-mechanical",
  check_uvm: "check-memory-client",
  contact_support: "contact-support",
  decode_nvlink5: "decode-nvlink5",
  decode_nvlink_registers: "decode-nvlink",
  drain_reset: "drain-reset",
  follow_154: "follow-154",
  none: "none",
  reboot_node: "reboot-node",
  reset_at_next_window: "reset-at-next-window",
  reset_gpu: "reset-gpu",
  restart_app: "restart-app",
  restart_fabric_manager: "restart-fabric-manager",
  restart_vm: "restart-vm",
  update_sw: "update-software",
};
const SEVERITIES: Readonly<Record<string, string>> = { page: "critical", ticket: "warning", log: "info" };

describe("every row of the reference table, from a kernel line to a finding", () => {
  it.skipIf(!existsSync(XID_TABLE))("needs the reference table: gives the listed severity, class and action", () => {
    const rows = readFileSync(XID_TABLE, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(","));
    expect(rows).toHaveLength(120);
    for (const [number = "", , kind = "", policy = "", action = ""] of rows) {
      const code = Number(number);
      const [finding, ...others] = findingsOf(`NVRM: Xid (PCI:0000:3b:00): ${code}, pid=4711, name=python, some text of the driver`);
      const own = ACTIONS[action];
      expect([code, others.length, finding?.subject.id, finding?.severity]).toEqual([code, 0, GPU, SEVERITIES[policy]]);
      expect([code, finding?.evidence[1]?.text]).toEqual([code, `Class: ${CLASSES[kind]}. ${own === undefined ? "" : XID_ACTIONS[own]}`]);
      expect([code, xidEntry(code)?.action]).toEqual([code, own]);
    }
  });
});

function findingsOf(line: string) {
  const events: HealthEvent[] = [];
  const parser = kernelLogParser(
    { event: (event) => events.push(event), reading: () => undefined, issue: () => undefined },
    { bootTimeMs: T0 },
  );
  parser.push(new TextEncoder().encode(`[   10.000000] ${line}\n`));
  parser.end();
  const watch = fleetWatchOf(
    FLEET_DETECTORS.filter(({ id }) => id === "xid"),
    {},
  );
  // Notes may wait for a minute to see whether they follow from another error.
  return Array.from({ length: 12 }, (_, tick) => watch.tick(tickOf(tick === 2 ? events.map(viewOf) : [], T0 + tick * 10_000))).flat();
}

/** As the server has it: the GPU at the PCI address is known by its UUID. */
function viewOf({ kind, code, severity, text, count, timeMs }: HealthEvent, index: number): FleetEventView {
  const at = timeMs ?? T0;
  return {
    id: index + 1,
    timeMs: at,
    lastTimeMs: at,
    kind,
    code,
    severity,
    nodeId: "m-1",
    host: "c1",
    entity: { kind: "gpu", id: GPU },
    text,
    count,
  };
}

const TOPOLOGY = {
  nodes: [{ id: "m-1", host: "c1", cordoned: false }],
  gpus: [{ id: GPU, nodeId: "m-1", host: "c1", index: 0, model: "H100", rack: null, runId: null, run: null, rank: null, stage: null }],
};

function tickOf(events: readonly FleetEventView[], timeMs: number): FleetTick {
  return { timeMs, topology: TOPOLOGY, columns: [], events, lastSampleAtMs: new Map() };
}

import { describe, expect, it } from "vitest";
import { collectHealth } from "../collect-health.fixture.ts";
import type { HealthEvent } from "../contract.ts";
import { FABRIC } from "../samples.fixture.ts";
import { fabricManagerParser } from "./fabric-log.ts";

describe("fabric manager log", () => {
  it("tells errors of switches with their SXid, other errors and warnings, and nothing that it merely does", () => {
    const { events } = collectHealth(fabricManagerParser, FABRIC, { timeZone: "UTC", node: "m-1" });
    expect(events).toMatchObject([
      {
        kind: "fabric-manager",
        code: 20034,
        subCode: "port 33",
        severity: "critical",
        timeMs: Date.UTC(2025, 2, 2, 10, 0, 1),
        entity: { kind: "switch", id: "m-1/switch/pci:0000:86:00" },
      },
      {
        code: null,
        severity: "warning",
        text: "Fabric Manager detected GPU NVL Non Fatal error on :; moduleId : 1; portNum : 61",
        line: 3,
      },
      { code: null, severity: "info", text: "Trunk port failure detected" },
    ]);
    expect(events).toHaveLength(3);
  });

  it("tells an error of one line as soon as it stands there", () => {
    const told: HealthEvent[] = [];
    const parser = fabricManagerParser({ event: (event) => told.push(event), reading: () => undefined, issue: () => undefined });
    parser.push(new TextEncoder().encode("[Mar 02 2025 10:00:01] [ERROR] [tid 8] detected NVSwitch fatal error 20034 on fid 0\n"));
    expect(told).toMatchObject([{ code: 20034, entity: null }]);
  });
});

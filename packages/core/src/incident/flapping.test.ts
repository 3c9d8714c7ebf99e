import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFleetFinding } from "./finding.fixture.ts";
import { Ledger } from "./ledger.fixture.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;

describe("flapping", () => {
  const CYCLE = 40 * SECOND;
  const fire = (index: number, isOver: boolean): Finding =>
    aFleetFinding({
      atMs: T0 + index * CYCLE,
      node: "c031",
      subject: { kind: "port", id: "c031/port/mlx5_0:1" },
      facts: [{ fact: "link-down", value: null }],
      detector: "port-flap",
      ...(isOver ? { endMs: T0 + index * CYCLE + 20 * SECOND } : {}),
    });

  it("G1: fire and resolve every 40 s for an hour is one incident that says flapping ×89", () => {
    const ledger = new Ledger();
    for (let index = 0; index < 90; index++) {
      ledger.fold(fire(index, false), T0 + index * CYCLE);
      ledger.fold(fire(index, true), T0 + index * CYCLE + 20 * SECOND);
    }
    expect(ledger.only().flaps).toBe(89);
    expect(describeIncident(ledger.only()).title).toBe("Port mlx5_0:1 of node c031 was down; flapping ×89");
  });

  it("G1: counts a finding that goes on again under its own id", () => {
    const ledger = new Ledger();
    for (let index = 0; index < 5; index++) {
      ledger.fold(fire(0, false));
      ledger.fold({ ...fire(0, true), endTimeMs: T0 + index * CYCLE + 20 * SECOND });
    }
    expect(ledger.only().flaps).toBe(4);
  });

  it("opens again what was resolved while it was over and is back under its own id, and lets a snooze cover that", () => {
    for (const [state, expected] of [
      ["resolved", "open"],
      ["snoozed", "snoozed"],
      ["acknowledged", "acknowledged"],
    ] as const) {
      const ledger = new Ledger();
      ledger.fold(fire(0, true));
      ledger.incidents = ledger.incidents.map((incident) => ({ ...incident, state, snoozedUntilMs: state === "snoozed" ? T0 : null }));
      expect(ledger.fold(fire(0, false))).toMatchObject({
        kind: "join",
        reopened: state === "resolved",
        incident: { state: expected, flaps: 1 },
      });
    }
    const held = new Ledger();
    held.fold(fire(0, false));
    held.incidents = held.incidents.map((incident) => ({ ...incident, state: "resolved", resolvedAtMs: T0 }));
    // resolved while it went on: whoever did so knew
    expect(held.fold({ ...fire(0, false), peakValue: 7 })).toMatchObject({ reopened: false, incident: { state: "resolved" } });
  });

  it("opens a new incident for the same fault after an hour of quiet", () => {
    const ledger = new Ledger();
    ledger.fold(fire(0, true));
    ledger.fold({ ...fire(200, true) });
    expect(ledger.incidents).toHaveLength(2);
  });

  it("names the resolved incident of the same part for a week", () => {
    const after = (days: number): number | null => {
      const ledger = new Ledger();
      ledger.fold(fire(0, true));
      ledger.incidents = ledger.incidents.map((incident) => ({ ...incident, state: "resolved", resolvedAtMs: T0 + MINUTE }));
      const later = fire(days * 2_160, false);
      ledger.fold(later, later.onsetTimeMs ?? 0);
      return ledger.incidents[1]?.regressionOf ?? null;
    };
    expect([after(1), after(6), after(8)]).toEqual([1, 1, null]);
  });

  it("G4: the same fault from two replicas, twice over and in any order, is one finding of one incident with the same flaps", () => {
    const findings = [0, 1, 2, 3, 4, 5].map((index) => fire(index, true));
    const straight = new Ledger();
    for (const finding of findings) straight.fold(finding);
    fc.assert(
      fc.property(fc.shuffledSubarray([...findings, ...findings], { minLength: 12 }), (order) => {
        const ledger = new Ledger();
        for (const finding of order) ledger.fold(finding);
        expect(ledger.only().findings.map(({ id }) => id)).toEqual(straight.only().findings.map(({ id }) => id));
        expect(ledger.only().flaps).toBe(5);
      }),
    );
  });

  it("G4: an earlier word on an end does not undo a later one", () => {
    const ledger = new Ledger();
    ledger.fold({ ...fire(0, true), endTimeMs: T0 + MINUTE });
    ledger.fold({ ...fire(0, true), endTimeMs: T0 + 20 * SECOND });
    expect(ledger.only().findings[0]?.endTimeMs).toBe(T0 + MINUTE);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFleetFinding, aHang, anXid, aSlowStep } from "./finding.fixture.ts";
import { inFoldOrder } from "./fold-order.ts";
import { Ledger } from "./ledger.fixture.ts";
import { rolesOf } from "./roles.ts";

const T0 = 1_790_000_000_000;
const MINUTE = 60_000;
/** Numbers that nobody should have sent, and ends before their beginnings. */
const odd = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, T0 - 3_600_000, T0 + 3_600_000, null);
/** Steps are whole where findings are made (`makeFinding`), and may be any. */
const oddStep = fc.constantFrom(-1, 0, Number.MAX_SAFE_INTEGER, null);
const spoilt: fc.Arbitrary<Finding> = fc
  .record({
    index: fc.nat(40),
    kind: fc.nat(3),
    onsetTimeMs: odd,
    detectedTimeMs: odd,
    endTimeMs: odd,
    endStep: oddStep,
    onsetStep: oddStep,
  })
  .map(({ index, kind, ...numbers }) => {
    const base = [
      anXid(79, `c${index % 4}`, T0 + index * 1_000),
      aFleetFinding({
        atMs: T0 + index * 1_000,
        node: `c${index % 4}`,
        facts: [{ fact: "node-lost", value: null }],
        detector: "lost-node",
      }),
      aHang(index, T0 + index * 1_000),
      aSlowStep(index, T0 + index * 1_000),
    ][kind];
    return { ...(base ?? aHang(index, T0)), ...numbers };
  });

describe("findings with numbers that cannot be", () => {
  it("are folded each once, in one order, and what is said of them is words", () => {
    fc.assert(
      fc.property(fc.uniqueArray(spoilt, { maxLength: 25, selector: ({ id }) => id }), (findings) => {
        const order = inFoldOrder(findings, (finding) => finding);
        expect(inFoldOrder([...findings].reverse(), (finding) => finding)).toEqual(order);
        const ledger = new Ledger();
        for (const finding of order) ledger.fold(finding);
        const held = [...ledger.incidents.flatMap((incident) => incident.findings), ...ledger.notes].map(({ id }) => id);
        expect([...held].sort()).toEqual(findings.map(({ id }) => id).sort());
        for (const incident of ledger.incidents) {
          expect(rolesOf(incident).size).toBe(incident.findings.length);
          expect(describeIncident(incident).title).not.toMatch(/undefined|NaN/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("nodes whose clocks differ", () => {
  it.each([
    ["two minutes ahead", -2, 1],
    ["two minutes behind", 2, 1],
    ["nine minutes behind", 9, 1],
    ["twenty minutes behind", 20, 2],
    ["five minutes ahead", -5, 2],
  ])("a dead GPU and the hang that it caused, on a node %s: as far as the reach of an effect", (_, lagMinutes, incidents) => {
    // The hang is told by the server's clock, the XID by the node's: one that is behind makes the hang seem later.
    const ledger = new Ledger();
    ledger.fold(anXid(79, "c007", T0 - lagMinutes * MINUTE));
    ledger.fold(aHang(10, T0));
    expect(ledger.incidents).toHaveLength(incidents);
  });
});

describe("ten thousand findings in one minute", () => {
  it("of as many nodes, with one dead GPU among them, are one incident, and are folded in seconds", () => {
    const torn = Array.from({ length: 10_000 }, (_, index) =>
      anXid(45, `c${index}`, T0 + (index % 60) * 1_000, { severity: "info", endMs: T0 + 90_000 }),
    );
    const ledger = new Ledger();
    for (const finding of inFoldOrder([anXid(79, "c7", T0), ...torn, aHang(10, T0 + 2_000)], (each) => each)) ledger.fold(finding);
    expect(ledger.only().findings).toHaveLength(10_002);
  }, 240_000);
});

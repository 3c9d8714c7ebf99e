import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFleetFinding, aHang, anXid, aSlowStep } from "./finding.fixture.ts";
import { Ledger } from "./ledger.fixture.ts";
import { rolesOf } from "./roles.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;

const NODES = ["c001", "c002", "c003"] as const;
const anyFinding: fc.Arbitrary<Finding> = fc.oneof(
  fc
    .record({
      number: fc.constantFrom(31, 45, 63, 74, 79, 95),
      node: fc.constantFrom(...NODES),
      second: fc.integer({ min: 0, max: 3_600 }),
    })
    .map(({ number, node, second }) => anXid(number, node, T0 + second * SECOND, { severity: number === 45 ? "info" : "critical" })),
  fc
    .record({
      node: fc.constantFrom(...NODES),
      second: fc.integer({ min: 0, max: 3_600 }),
      fact: fc.constantFrom("node-lost" as const, "throttled" as const),
    })
    .map(({ node, second, fact }) => aFleetFinding({ atMs: T0 + second * SECOND, node, facts: [{ fact, value: 0.2 }], detector: fact })),
  fc
    .record({ step: fc.integer({ min: 0, max: 700 }), attempt: fc.constantFrom("a1", "a2") })
    .map(({ step, attempt }) => aHang(step, T0 + step * 5 * SECOND, { attempt })),
  fc
    .record({ step: fc.integer({ min: 0, max: 700 }), attempt: fc.constantFrom("a1", "a2") })
    .map(({ step, attempt }) => aSlowStep(step, T0 + step * 5 * SECOND, { attempt })),
);

describe("foldFinding over any mixture of a run's and its machines' findings", () => {
  it("holds each once, gives each a role, mixes no attempts of the run, and puts no two accused nodes together without a chain between them", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyFinding, { maxLength: 40, selector: ({ id }) => id }), (findings) => {
        const ledger = new Ledger();
        for (const finding of findings) ledger.fold(finding);
        const held = [...ledger.incidents.flatMap((incident) => incident.findings), ...ledger.notes].map(({ id }) => id);
        expect([...held].sort()).toEqual(findings.map(({ id }) => id).sort());
        for (const incident of ledger.incidents) {
          const roles = rolesOf(incident);
          expect(roles.size).toBe(incident.findings.length);
          expect([...roles.values()].includes("initiator")).toBe(true);
          expect(describeIncident(incident).title).not.toMatch(/null|undefined|NaN/);
          expect(new Set(incident.findings.map(({ attempt }) => attempt).filter((attempt) => attempt !== "")).size).toBeLessThanOrEqual(1);
          const dead = incident.findings.filter(({ facts }) =>
            facts.some(({ fact, value }) => fact === "gpu-error" && (value === 79 || value === 95)),
          );
          const nodes = new Set(dead.map(({ place }) => place?.nodeId));
          const chain = incident.findings.some(({ facts }) =>
            facts.some(({ fact, value }) => fact === "node-lost" || (fact === "gpu-error" && value === 74)),
          );
          if (!chain) expect(nodes.size).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyFinding, { maxLength: 25, selector: ({ id }) => id }), (findings) => {
        const ledger = new Ledger();
        for (const finding of findings) ledger.fold(finding);
        const before = ledger.incidents.map(({ findings: own, flaps }) => [own.length, flaps]);
        for (const finding of ledger.incidents.flatMap((incident) => incident.findings)) ledger.fold(finding);
        expect(ledger.incidents.map(({ findings: own, flaps }) => [own.length >= 1, flaps])).toEqual(
          before.map(([, flaps]) => [true, flaps]),
        );
        expect(ledger.incidents).toHaveLength(before.length);
      }),
      { numRuns: 100 },
    );
  });
});

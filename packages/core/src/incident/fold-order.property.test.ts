import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { worstSeverity } from "../severity.ts";
import { inFoldOrder } from "./fold-order.ts";
import { aFleetFinding, aHang, anXid, aSlowStep } from "./finding.fixture.ts";
import { kinship } from "./kinship.ts";
import { Ledger } from "./ledger.fixture.ts";
import { initiatorOf, rolesOf } from "./roles.ts";
import { ACCUSERS, signalOf } from "./signal.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const NODES = ["c001", "c002", "c003"] as const;

function anyFinding(seconds: number): fc.Arbitrary<Finding> {
  const second = fc.integer({ min: 0, max: seconds });
  const step = fc.integer({ min: 0, max: Math.floor(seconds / 5) });
  return fc.oneof(
    fc
      .record({ number: fc.constantFrom(31, 45, 63, 74, 79, 95), node: fc.constantFrom(...NODES), second })
      .map(({ number, node, second: at }) => anXid(number, node, T0 + at * SECOND, { severity: number === 45 ? "info" : "critical" })),
    fc
      .record({ node: fc.constantFrom(...NODES), second, fact: fc.constantFrom("node-lost" as const, "throttled" as const) })
      .map(({ node, second: at, fact }) => aFleetFinding({ atMs: T0 + at * SECOND, node, facts: [{ fact, value: 0.2 }], detector: fact })),
    step.map((at) => aHang(at, T0 + at * 5 * SECOND)),
    step.map((at) => aSlowStep(at, T0 + at * 5 * SECOND)),
  );
}

const shuffled = (seconds: number, most: number): fc.Arbitrary<readonly [readonly Finding[], readonly Finding[]]> =>
  fc
    .uniqueArray(anyFinding(seconds), { minLength: 2, maxLength: most, selector: ({ id }) => id })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })));

function folded(findings: readonly Finding[]): Ledger {
  const ledger = new Ledger();
  for (const finding of findings) ledger.fold(finding);
  return ledger;
}

/** Members, initiator, roles, severity and flaps of each incident, whatever its number; and the notes. */
function said({ incidents, notes }: Ledger): unknown {
  const each = incidents.map((incident) => ({
    members: incident.findings.map(({ id }) => id).sort(),
    initiator: initiatorOf(incident.findings)?.id ?? null,
    roles: [...rolesOf(incident)].sort(),
    severity: incident.severity,
    flaps: incident.flaps,
  }));
  return {
    incidents: each.sort((a, b) => ((a.members[0] ?? "") < (b.members[0] ?? "") ? -1 : 1)),
    notes: notes.map(({ id }) => id).sort(),
  };
}

/** Findings that kinship ties together, by way of others where need be. */
function components(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  let parts = findings.map((finding) => [finding]);
  for (const a of findings)
    for (const b of findings) {
      if (kinship(a, b, 1) === null) continue;
      const [own, other] = [parts.find((part) => part.includes(a)), parts.find((part) => part.includes(b))];
      if (own === undefined || other === undefined || own === other) continue;
      parts = [...parts.filter((part) => part !== own && part !== other), [...own, ...other]];
    }
  return parts;
}

const isGrave = ({ severity }: Finding): boolean => severity !== "info";
const accuses = (finding: Finding): boolean => isGrave(finding) && ACCUSERS.has(signalOf(finding));
const worstOf = (findings: readonly Finding[]) =>
  findings
    .filter(isGrave)
    .map(({ severity }) => severity)
    .reduce(worstSeverity, "info");

describe("the incidents of findings that come in another order", () => {
  it("are the same where they come together: members, initiator, roles, severity and flaps", () => {
    fc.assert(
      fc.property(shuffled(3_600, 30), ([one, other]) => {
        const of = (findings: readonly Finding[]) => said(folded(inFoldOrder(findings, (finding) => finding)));
        expect(of(other)).toEqual(of(one));
      }),
      { numRuns: 300 },
    );
  });

  it("are the same in whatever order and however apart they come, where all that is told is kin to each other and at most one place is accused", () => {
    let judged = 0;
    fc.assert(
      fc.property(shuffled(120, 5), ([one, other]) => {
        const grave = one.filter(isGrave);
        const tied = grave.every((a) => one.every((b) => a === b || kinship(a, b, 1) !== null));
        const accused = grave.filter(accuses);
        if (grave.length === 0 || !tied || accused.some((a) => accused.some((b) => a !== b && kinship(a, b, 1) === null))) return;
        judged++;
        expect(said(folded(other))).toEqual(said(folded(one)));
        expect(folded(one).incidents).toHaveLength(1);
      }),
      { numRuns: 3_000 },
    );
    expect(judged).toBeGreaterThan(200);
  });

  it("may differ in where a symptom between two broken devices lies, or a note, and then only so far: no incident reaches beyond what kinship ties, each tells all that is grave once, and the worst is as bad", () => {
    fc.assert(
      fc.property(shuffled(1_200, 10), ([one, other]) => {
        const parts = components(one);
        for (const ledger of [folded(one), folded(other)]) {
          for (const { findings } of ledger.incidents)
            expect(parts.filter((part) => part.some(({ id }) => findings.some((held) => held.id === id)))).toHaveLength(1);
          expect(ledger.incidents.flatMap(({ findings }) => findings.filter(isGrave).map(({ id }) => id)).sort()).toEqual(
            one
              .filter(isGrave)
              .map(({ id }) => id)
              .sort(),
          );
          for (const part of parts.filter((each) => each.some(isGrave))) {
            const own = ledger.incidents.filter(({ findings }) => findings.some(({ id }) => part.some((each) => each.id === id)));
            expect(own.map(({ severity }) => severity).reduce(worstSeverity, "info")).toBe(worstOf(part));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("keeps what was said of one finding in the order in which it was said", () => {
    const later = aSlowStep(20, T0 + 100 * SECOND);
    const first = aSlowStep(10, T0 + 50 * SECOND);
    const moved = { ...later, onsetStep: 5, onsetTimeMs: T0, state: "recovered" as const };
    expect(inFoldOrder([later, moved, first], (finding) => finding)).toEqual([first, later, moved]);
  });
});

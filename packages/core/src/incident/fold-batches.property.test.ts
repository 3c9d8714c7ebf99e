import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFinding, aFleetFinding, aHang, anXid, aSlowStep } from "./finding.fixture.ts";
import { inFoldOrder } from "./fold-order.ts";
import { kinship } from "./kinship.ts";
import type { Kinship } from "./kinship.ts";
import { Ledger } from "./ledger.fixture.ts";
import { accusesDevice } from "./near.ts";
import { initiatorOf } from "./roles.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const memoryGpu = { kind: "gpu", id: "GPU-cccccccc-3" } as const;
const ofMemory = (atMs: number, fact: Finding["facts"][number], detector: string): Finding =>
  aFleetFinding({ atMs, node: "c021", subject: memoryGpu, facts: [fact], detector, severity: "warning" });

/** One cause each, whatever else goes on at the same time or near it. */
const FAULTS: Readonly<Record<string, readonly Finding[]>> = {
  "a GPU that falls off the bus, and the clearing up on its peers": [
    anXid(79, "c007", T0),
    aHang(48_210, T0 + 2 * SECOND, { state: "recovered", endStep: 48_211, endTimeMs: T0 + 20 * MINUTE }),
    ...Array.from({ length: 12 }, (_, index) =>
      anXid(45, `c1${index}`, T0 + (5 + index) * SECOND, { severity: index % 3 === 0 ? "warning" : "info", endMs: T0 + MINUTE }),
    ),
    aFleetFinding({ atMs: T0 + 5 * MINUTE, node: "c007", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" }),
  ],
  "a link that is slow, the steps that it slows, and the time-out": [
    aFleetFinding({
      atMs: T0 + 5 * HOUR,
      node: "c031",
      subject: { kind: "link", id: "GPU-bbbbbbbb-2/link/5" },
      facts: [{ fact: "link-slow", value: 0.43 }],
      severity: "warning",
      detector: "nvlink-bandwidth",
    }),
    aSlowStep(90_000, T0 + 6 * HOUR),
    aHang(91_000, T0 + 6 * HOUR + 40 * MINUTE),
  ],
  "the memory of one GPU, over hours": [
    ofMemory(T0 - 9 * HOUR, { fact: "node-memory-error", value: 0 }, "ecc"),
    ofMemory(T0 - 9 * HOUR + 19 * MINUTE, { fact: "gpu-error", value: 63 }, "xid"),
    ofMemory(T0 - 8 * HOUR, { fact: "gpu-error", value: 64 }, "xid"),
    ofMemory(T0 - 5 * HOUR, { fact: "node-memory-error", value: 0 }, "row-remap"),
  ],
  "another dead GPU half an hour after the first": [anXid(95, "c100", T0 + 30 * MINUTE)],
  "memory of another GPU of the same node, hours later": [
    aFleetFinding({
      atMs: T0 - 7 * HOUR,
      node: "c021",
      subject: { kind: "gpu", id: "GPU-dddddddd-4" },
      facts: [{ fact: "gpu-error", value: 63 }],
      severity: "warning",
    }),
  ],
  "a spike of the loss": [aFinding({ onsetStep: 20_000, state: "recovered", endStep: 20_040, onsetTimeMs: T0 - 20 * HOUR })],
};

/** All of them, cut into batches at random, which come in any order. */
const anyBatches = (findings: readonly Finding[]): fc.Arbitrary<readonly (readonly Finding[])[]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...findings], { minLength: findings.length, maxLength: findings.length }),
      fc.array(fc.nat(findings.length), { maxLength: findings.length }),
    )
    .map(([shuffled, cuts]) => {
      const ends = [...new Set([...cuts, findings.length])].sort((a, b) => a - b);
      return ends.map((end, index) => shuffled.slice(ends[index - 1] ?? 0, end)).filter((batch) => batch.length > 0);
    });

function folded(batches: readonly (readonly Finding[])[]): Ledger {
  const ledger = new Ledger();
  for (const batch of batches) for (const finding of inFoldOrder(batch, (each) => each)) ledger.fold(finding);
  return ledger;
}

function said({ incidents, notes }: Ledger): unknown {
  const each = incidents.map((incident) => ({
    members: incident.findings.map(({ id }) => id).sort(),
    initiator: initiatorOf(incident.findings)?.id ?? null,
    title: describeIncident(incident).title,
    severity: incident.severity,
    flaps: incident.flaps,
  }));
  return {
    incidents: each.sort((a, b) => ((a.members[0] ?? "") < (b.members[0] ?? "") ? -1 : 1)),
    notes: notes.map(({ id }) => id).sort(),
  };
}

const SECONDS = 1_200;
const anyFinding: fc.Arbitrary<Finding> = fc.integer({ min: 0, max: SECONDS }).chain((second) => {
  const atMs = T0 + second * SECOND;
  const step = Math.floor(second / 5);
  const node = fc.constantFrom("c001", "c002", "c003");
  return fc.oneof(
    fc
      .record({ node, number: fc.constantFrom(31, 45, 63, 74, 79, 95), severity: fc.constantFrom("warning" as const, "critical" as const) })
      .map(({ number, node: of, severity }) => anXid(number, of, atMs, { severity, endMs: atMs + 5 * SECOND })),
    fc
      .record({ node, fact: fc.constantFrom("node-lost" as const, "throttled" as const, "link-slow" as const) })
      .map(({ node: of, fact }) => aFleetFinding({ atMs, node: of, facts: [{ fact, value: 0.2 }], detector: fact })),
    fc.constant(aHang(step, atMs)),
    fc.constant(aSlowStep(step, atMs)),
  );
});
const anySet = fc
  .uniqueArray(anyFinding, { minLength: 2, maxLength: 12, selector: ({ id }) => id })
  .chain((all) => fc.tuple(fc.constant(all), anyBatches(all)));

/** Findings that kinship ties together, by way of others where need be. */
function components(findings: readonly Finding[], isTie = (kin: Kinship): boolean => kin.kind >= 0): readonly (readonly Finding[])[] {
  let parts = findings.map((finding) => [finding]);
  for (const a of findings)
    for (const b of findings) {
      const [own, other] = [parts.find((part) => part.includes(a)), parts.find((part) => part.includes(b))];
      const kin = kinship(a, b, 1);
      if (own === undefined || other === undefined || own === other || kin === null || !isTie(kin)) continue;
      parts = [...parts.filter((part) => part !== own && part !== other), [...own, ...other]];
    }
  return parts;
}

/** What is kin by a memory of long before alone is joined by what comes while nothing nearer is there, and ties nothing: there the order does decide. */
const isJoinedByMemoryAlone = (findings: readonly Finding[]): boolean =>
  components(findings, ({ isFar }) => isFar !== true).length > components(findings).length;

const idsOf = (parts: readonly (readonly Finding[])[]): readonly string[] =>
  parts
    .map((part) =>
      part
        .map(({ id }) => id)
        .sort()
        .join(),
    )
    .filter((ids) => ids !== "")
    .sort();

describe("the incidents of what comes in several batches", () => {
  it("are one for each fault, whatever comes first and however it was cut, and unrelated faults beside each other stay apart", () => {
    const all = Object.values(FAULTS).flat();
    fc.assert(
      fc.property(anyBatches(all), (batches) => {
        const ledger = folded(batches);
        expect(idsOf(ledger.incidents.map(({ findings }) => findings))).toEqual(idsOf(Object.values(FAULTS)));
        expect(said(ledger)).toEqual(said(folded([all])));
      }),
      { numRuns: 200 },
    );
  });

  it("are what kinship ties, wherever that accuses one device, or devices of one fault", () => {
    let judged = 0;
    fc.assert(
      fc.property(anySet, ([all, batches]) => {
        const parts = components(all);
        if (isJoinedByMemoryAlone(all) || parts.some((part) => components(part.filter(accusesDevice)).length > 1)) return;
        judged++;
        const ledger = folded(batches);
        expect(idsOf(ledger.incidents.map(({ findings }) => findings))).toEqual(idsOf(parts));
        expect(said(ledger)).toEqual(said(folded([all])));
      }),
      { numRuns: 2_000 },
    );
    expect(judged).toBeGreaterThan(300);
  });

  it("accuse the same devices together in whatever order, and are as many, also where a symptom lies between two broken devices", () => {
    let judged = 0;
    fc.assert(
      fc.property(anySet, ([all, batches]) => {
        if (isJoinedByMemoryAlone(all)) return;
        judged++;
        const [one, other] = [folded([all]), folded(batches)];
        const accused = (ledger: Ledger) => idsOf(ledger.incidents.map(({ findings }) => findings.filter(accusesDevice)));
        expect(accused(other)).toEqual(accused(one));
        expect(accused(one)).toEqual(idsOf(components(all.filter(accusesDevice))));
        expect(other.incidents).toHaveLength(one.incidents.length);
      }),
      { numRuns: 1_000 },
    );
    expect(judged).toBeGreaterThan(700);
  });
});

describe("an incident that a late finding ties to another", () => {
  const hang = aHang(10, T0);
  const torn = anXid(45, "c050", T0 + 13 * MINUTE, { severity: "warning", endMs: T0 + 14 * MINUTE });
  const lost = aFleetFinding({ atMs: T0 + 6 * MINUTE, node: "c099", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" });
  const ended = { ...hang, state: "recovered" as const, endTimeMs: T0 + 1 };

  function twoOf(change: (ledger: Ledger) => void): Ledger {
    const ledger = new Ledger();
    ledger.fold(ended, T0);
    ledger.fold(torn, T0 + MINUTE);
    expect(ledger.incidents).toHaveLength(2);
    change(ledger);
    return ledger;
  }
  const as = (ledger: Ledger, id: number, over: Partial<Ledger["incidents"][number]>): void => {
    ledger.incidents = ledger.incidents.map((incident) => (incident.id === id ? { ...incident, ...over } : incident));
  };

  it("becomes part of the elder, and says so", () => {
    const ledger = twoOf(() => undefined);
    const outcome = ledger.fold(lost, T0 + 2 * MINUTE);
    expect(outcome.kind === "join" && [outcome.incident.id, outcome.absorbed.map(({ id }) => id)]).toEqual([1, [2]]);
    expect(ledger.only()).toMatchObject({ state: "open", openedAtMs: T0 });
  });

  it.each<[string, Partial<Ledger["incidents"][number]>, Partial<Ledger["incidents"][number]>]>([
    [
      "is taken where the younger one was",
      { state: "acknowledged", owner: "ada", acknowledgedAtMs: T0 + 90 * SECOND },
      { state: "acknowledged", owner: "ada", acknowledgedAtMs: T0 + 90 * SECOND },
    ],
    [
      "is put off no more where the other one was not",
      { state: "snoozed", snoozedUntilMs: T0 + HOUR },
      { state: "open", snoozedUntilMs: null },
    ],
    ["belongs to whom the other was given", { owner: "ada" }, { state: "open", owner: "ada" }],
  ])("%s", (_, younger, expected) => {
    const ledger = twoOf((each) => as(each, 2, younger));
    ledger.fold(lost, T0 + 2 * MINUTE);
    expect(ledger.only()).toMatchObject(expected);
  });

  it("comes back at the earlier time where both were put off", () => {
    const ledger = twoOf((each) => {
      as(each, 1, { state: "snoozed", snoozedUntilMs: T0 + 2 * HOUR, severity: "critical" });
      as(each, 2, { state: "snoozed", snoozedUntilMs: T0 + HOUR });
    });
    ledger.fold(lost, T0 + 2 * MINUTE);
    expect(ledger.only()).toMatchObject({ state: "snoozed", snoozedUntilMs: T0 + HOUR });
  });

  it("stays apart where it is resolved, of another attempt, or of another run", () => {
    for (const over of [{ state: "resolved" as const, resolvedAtMs: T0 }, { attempt: "a2" }, { run: "lab/other" }]) {
      const ledger = twoOf((each) => as(each, 2, over));
      ledger.fold(lost, T0 + 2 * MINUTE);
      expect(ledger.incidents).toHaveLength(2);
    }
  });

  it("stays apart where the tie is a note, and becomes one when the note turns out to be worse", () => {
    const ledger = twoOf(() => undefined);
    ledger.fold({ ...lost, severity: "info" }, T0 + 2 * MINUTE);
    expect(ledger.incidents).toHaveLength(2);
    ledger.fold(lost, T0 + 3 * MINUTE);
    expect(ledger.only().findings).toHaveLength(3);
  });

  it("is not tied by a fault that is back: what goes on reaches over much that it has nothing to do with", () => {
    const ledger = new Ledger();
    const slow = (over: Partial<Finding>): Finding => ({
      ...aFleetFinding({
        atMs: T0,
        node: "c031",
        subject: { kind: "link", id: "GPU-b/link/5" },
        facts: [{ fact: "link-slow", value: 0.4 }],
        detector: "link",
      }),
      ...over,
    });
    ledger.fold(slow({ state: "recovered", endTimeMs: T0 + MINUTE }));
    ledger.fold(aHang(50, T0 + 40 * MINUTE));
    expect(ledger.incidents).toHaveLength(2);
    ledger.fold(slow({}));
    expect(ledger.incidents).toHaveLength(2);
  });
});

describe("what a node tells once its run is over", () => {
  const ofRun = { run: "lab/base", attempt: "a1" } as const;
  const ofNone = { run: null } as const;
  const lostNode = (node: string): Finding =>
    aFleetFinding({ atMs: T0 + 5 * MINUTE, node, facts: [{ fact: "node-lost", value: null }], detector: "lost-node" });
  const told = [
    [aHang(10, T0 + 2 * SECOND), ofRun],
    [lostNode("c007"), ofNone],
    [anXid(79, "c007", T0), ofRun],
  ] as const;

  it("is of the run's incident in whatever order it comes, and has its run", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...told], { minLength: told.length }), (order) => {
        const ledger = new Ledger();
        for (const [finding, of] of order) ledger.fold(finding, T0, of);
        expect(ledger.only()).toMatchObject({ run: "lab/base", attempt: "a1" });
        expect(initiatorOf(ledger.only().findings)?.onsetTimeMs).toBe(T0);
      }),
    );
  });

  it("draws in no other nodes that were lost with it: those of no run stay of none", () => {
    const ledger = new Ledger();
    for (const node of ["c007", "c008", "c009"]) ledger.fold(lostNode(node), T0, ofNone);
    ledger.fold(anXid(79, "c007", T0), T0, ofRun);
    expect(ledger.incidents.map(({ run, findings }) => [run, findings.length])).toEqual([
      [null, 3],
      ["lab/base", 1],
    ]);
  });
});

describe("the memory of one GPU", () => {
  it("is one incident while it is open, and after it was resolved a new one that names it", () => {
    const [ecc, retired, , remap] = FAULTS["the memory of one GPU, over hours"] ?? [];
    if (ecc === undefined || retired === undefined || remap === undefined) throw new Error("no such fault");
    const ledger = new Ledger();
    ledger.fold(retired);
    ledger.fold(remap);
    expect(ledger.only().findings).toHaveLength(2);
    ledger.incidents = ledger.incidents.map((incident) => ({ ...incident, state: "resolved", resolvedAtMs: 900 }));
    ledger.fold(ecc);
    expect(ledger.incidents.map(({ regressionOf, findings }) => [regressionOf, findings.length])).toEqual([
      [null, 2],
      [1, 1],
    ]);
  });

  it("does not take in what a note said of it hours ago", () => {
    const [ecc, , , remap] = FAULTS["the memory of one GPU, over hours"] ?? [];
    if (ecc === undefined || remap === undefined) throw new Error("no such fault");
    const ledger = new Ledger();
    ledger.fold({ ...ecc, severity: "info" });
    ledger.fold(remap);
    expect(ledger.only().findings).toEqual([remap]);
  });
});

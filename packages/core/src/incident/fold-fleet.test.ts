import { describe, expect, it } from "vitest";
import type { Finding } from "../finding.ts";
import { describeIncident } from "./describe.ts";
import { aFinding, aFleetFinding, aHang, anXid, aSlowStep } from "./finding.fixture.ts";
import { Ledger } from "./ledger.fixture.ts";
import { rolesOf } from "./roles.ts";

const T0 = 1_790_000_000_000;
const SECOND = 1_000;
const MINUTE = 60_000;

const nodeName = (index: number): string => `c${String(index).padStart(3, "0")}`;

function countOf(roles: Iterable<string>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const role of roles) counts[role] = (counts[role] ?? 0) + 1;
  return counts;
}

/** Ids of the findings of each incident, whatever its own id. */
function partition(ledger: Ledger): readonly (readonly string[])[] {
  return ledger.incidents.map(({ findings }) => findings.map(({ id }) => id).sort()).sort((a, b) => ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
}

/** F1: one dead GPU, what its run did then, and the clearing up on the other nodes. */
function burst(): readonly Finding[] {
  const dead = anXid(79, "c007", T0);
  const torn = Array.from({ length: 400 }, (_, index) =>
    anXid(45, nodeName(index), T0 + 5 * SECOND + (index % 25) * SECOND, { severity: "info", endMs: T0 + 60 * SECOND }),
  );
  return [dead, ...torn, aHang(48_210, T0 + 2 * SECOND)];
}

describe("foldFinding over the machines of a run", () => {
  it("F1: one XID 79 and XID 45 on 400 nodes are one incident whose initiator is the XID 79", () => {
    const ledger = new Ledger();
    for (const finding of burst()) ledger.fold(finding);
    const incident = ledger.only();
    const roles = rolesOf(incident);
    expect(countOf(roles.values())).toEqual({ initiator: 1, cascade: 1, teardown: 400 });
    expect([...roles.values()][0]).toBe("initiator");
    expect(describeIncident(incident)).toMatchObject({
      severity: "critical",
      title: "XID 79 (GPU has fallen off the bus) on GPU-6330…, node c007: run stopped; teardown on 400 nodes",
      onsetStep: 48_210,
    });
    expect(ledger.notes).toEqual([]);
  });

  it("F1: in whatever order they arrive, and a count of 170,000 is one finding", () => {
    const findings = burst();
    const straight = new Ledger();
    for (const finding of findings) straight.fold(finding);
    for (const order of [[...findings].reverse(), [...findings.slice(200), ...findings.slice(0, 200)]]) {
      const ledger = new Ledger();
      for (const finding of order) ledger.fold(finding);
      // What came as a note before anything was told is drawn in by what explains it.
      expect(partition(ledger)).toEqual(partition(straight));
    }
  });

  it("takes teardown that is a warning of its own for teardown too, though it opened the incident", () => {
    const ledger = new Ledger();
    ledger.fold(anXid(45, "c001", T0 + 3 * SECOND, { severity: "warning" }));
    ledger.fold(anXid(45, "c002", T0 + 4 * SECOND, { severity: "warning" }));
    ledger.fold(anXid(79, "c007", T0));
    expect([...rolesOf(ledger.only()).values()]).toEqual(["initiator", "teardown", "teardown"]);
  });

  it.each([
    ["a hang five minutes after the GPU died", aHang(10, T0 + 5 * MINUTE)],
    ["a loss that is not finite", aFinding({ onsetStep: 10, state: "non-finite", severity: "critical", onsetTimeMs: T0 + MINUTE })],
    ["steps that became slow", aSlowStep(10, T0 + MINUTE)],
    [
      "a node that was lost two minutes later",
      aFleetFinding({ atMs: T0 + 2 * MINUTE, node: "c099", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" }),
    ],
    ["an illegal access on another node at once", anXid(31, "c050", T0 + 20 * SECOND, { severity: "warning" })],
    ["a hang that began a minute before anybody heard of the XID", aHang(10, T0 - MINUTE)],
  ])("joins to a dead GPU's incident: %s", (_, effect) => {
    const ledger = new Ledger();
    ledger.fold(anXid(79, "c007", T0));
    ledger.fold(effect);
    expect([...rolesOf(ledger.only()).values()]).toEqual(["initiator", "cascade"]);
    const reverse = new Ledger();
    reverse.fold(effect);
    reverse.fold(anXid(79, "c007", T0));
    expect(partition(reverse)).toEqual(partition(ledger));
  });

  it.each([
    ["a hang half an hour later", aHang(10, T0 + 30 * MINUTE)],
    ["another dead GPU on another node at the same time", anXid(79, "c008", T0 + 5 * SECOND)],
    ["a memory error on another node", anXid(95, "c100", T0 + 10 * SECOND)],
    ["a hot GPU on another node", aFleetFinding({ atMs: T0, node: "c100", facts: [{ fact: "hot", value: 20 }], detector: "thermal" })],
    ["an illegal access on another node eight minutes later", anXid(31, "c050", T0 + 8 * MINUTE, { severity: "warning" })],
    ["steps slow since half an hour before", aSlowStep(10, T0 - 30 * MINUTE)],
    ["a checkpoint that is late", aFinding({ onsetStep: 10, metric: "checkpoint", detector: "checkpoint-late", onsetTimeMs: T0 + MINUTE })],
  ])("keeps apart from a dead GPU's incident: %s", (_, other) => {
    const ledger = new Ledger();
    ledger.fold(anXid(79, "c007", T0));
    ledger.fold(other);
    expect(ledger.incidents).toHaveLength(2);
  });

  it("keeps two broken nodes apart even when a symptom of the run lies between them", () => {
    const ledger = new Ledger();
    ledger.fold(anXid(79, "c007", T0));
    ledger.fold(aHang(10, T0 + 10 * SECOND));
    ledger.fold(anXid(95, "c100", T0 + 20 * SECOND));
    expect(ledger.incidents.map(({ findings }) => findings.length)).toEqual([2, 1]);
  });

  it("gathers what one node tells: ECC error, remap, XID, a rank that deviates, the node's end", () => {
    const ledger = new Ledger();
    const gpu = { kind: "gpu", id: "GPU-aaaaaaaa-1" } as const;
    ledger.fold(aFleetFinding({ atMs: T0, node: "c007", subject: gpu, facts: [{ fact: "node-memory-error", value: 0 }], detector: "ecc" }));
    ledger.fold(
      aFleetFinding({ atMs: T0 + SECOND, node: "c007", subject: gpu, facts: [{ fact: "gpu-error", value: 94 }], severity: "warning" }),
    );
    ledger.fold(
      aFinding({
        onsetStep: 50,
        metric: "grad_norm",
        subject: { kind: "rank", id: "37" },
        place: { rank: 37, gpuId: gpu.id, nodeId: "c007", host: "c007" },
        facts: [{ fact: "rank-deviates", value: 3 }],
        onsetTimeMs: T0 + 2 * MINUTE,
      }),
    );
    ledger.fold(aFleetFinding({ atMs: T0 + 4 * MINUTE, node: "c007", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" }));
    expect(ledger.only().findings).toHaveLength(4);
    expect(describeIncident(ledger.only()).lead.detector).toBe("ecc");
  });

  it("joins a slow link that goes on, the steps it slows an hour later, and the time-out after", () => {
    const ledger = new Ledger();
    ledger.fold(
      aFleetFinding({
        atMs: T0,
        node: "c031",
        subject: { kind: "link", id: "GPU-bbbbbbbb-2/link/5" },
        facts: [{ fact: "link-slow", value: 0.43 }],
        severity: "warning",
        detector: "nvlink-bandwidth",
      }),
    );
    ledger.fold(aSlowStep(900, T0 + 60 * MINUTE));
    ledger.fold(aHang(950, T0 + 65 * MINUTE));
    expect(describeIncident(ledger.only()).title).toBe(
      "NVLink 5 of GPU-bbbb…, node c031 is slow, at 43 % of its peers' bandwidth: run stopped; steps slower",
    );
  });

  it("keeps two ranks apart that deviate on different nodes, and joins a run's own spike to the nearer", () => {
    const rank = (number: number, node: string, onsetStep: number): Finding =>
      aFinding({
        onsetStep,
        metric: "grad_norm",
        detector: "rank-deviation",
        subject: { kind: "rank", id: String(number) },
        place: { rank: number, gpuId: `GPU-${number}`, nodeId: node, host: node },
        facts: [{ fact: "rank-deviates", value: 4 }],
        onsetTimeMs: T0 + onsetStep * SECOND,
      });
    const ledger = new Ledger();
    ledger.fold(rank(37, "c004", 100));
    ledger.fold(rank(99, "c012", 110));
    expect(ledger.incidents).toHaveLength(2);
    ledger.fold(aFinding({ onsetStep: 111, onsetLowerStep: 111, state: "recovered", endStep: 120, onsetTimeMs: T0 + 111 * SECOND }));
    expect(ledger.incidents.map(({ findings }) => findings.length).reduce((a, b) => a + b)).toBe(3);
    expect(describeIncident(ledger.incidents[0] ?? ledger.only()).title).toContain("Rank 37 (GPU-37, c004) deviates in gradient norm");
  });

  it("G3: a source that dies takes its nodes with it: one incident, though 500 are lost at once and more a minute later", () => {
    const ledger = new Ledger();
    for (let index = 0; index < 500; index++)
      ledger.fold(
        aFleetFinding({
          atMs: T0 + (index % 10) * SECOND,
          node: nodeName(index),
          facts: [{ fact: "node-lost", value: null }],
          detector: "lost-node",
        }),
        T0,
        {
          run: null,
        },
      );
    ledger.fold(
      aFleetFinding({ atMs: T0 + 50 * SECOND, node: "late", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" }),
      T0,
      { run: null },
    );
    expect(ledger.only()).toMatchObject({ run: null, attempt: "" });
    expect(describeIncident(ledger.only()).title).toBe("501 nodes lost: no data comes from them");
  });

  it("opens an incident of no run for a GPU that works for none, and takes the node's next trouble into it", () => {
    const ledger = new Ledger();
    const idle = { run: null } as const;
    ledger.fold(anXid(48, "c007", T0), T0, idle);
    ledger.fold(
      aFleetFinding({ atMs: T0 + 5 * MINUTE, node: "c007", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" }),
      T0,
      idle,
    );
    ledger.fold(anXid(48, "c008", T0 + MINUTE), T0, idle);
    expect(ledger.incidents.map(({ run, attempt, findings }) => [run, attempt, findings.length])).toEqual([
      [null, "", 2],
      [null, "", 1],
    ]);
  });

  it("ties idle nodes by nothing: a dead GPU on one and another node that is lost a minute later are two incidents", () => {
    const ledger = new Ledger();
    const idle = { run: null } as const;
    ledger.fold(anXid(48, "c007", T0), T0, idle);
    ledger.fold(
      aFleetFinding({
        atMs: T0 + MINUTE,
        node: "c100",
        facts: [{ fact: "node-lost", value: null }],
        detector: "lost-node",
      }),
      T0,
      idle,
    );
    expect(ledger.incidents).toHaveLength(2);
  });

  it("joins a trainer that gives up to the loss that was not finite, and no hang to a loss that was merely high", () => {
    const ledger = new Ledger();
    ledger.fold(aFinding({ onsetStep: 10, state: "non-finite", severity: "critical", onsetTimeMs: T0 }));
    ledger.fold(aHang(10, T0 + MINUTE));
    expect(ledger.only().findings).toHaveLength(2);
    const high = new Ledger();
    high.fold(aFinding({ onsetStep: 10, onsetTimeMs: T0 }));
    high.fold(aHang(10, T0 + MINUTE));
    expect(high.incidents).toHaveLength(2);
  });

  it("takes one finding of teardown that stands for all nodes for teardown", () => {
    const ledger = new Ledger();
    const dead = anXid(79, "c007", T0);
    ledger.fold(dead);
    ledger.fold({ ...aFleetFinding({ atMs: T0 + SECOND, node: "c007", subject: dead.subject, severity: "info" }), metric: "xid teardown" });
    expect([...rolesOf(ledger.only()).values()]).toEqual(["initiator", "teardown"]);
  });

  it("takes what a node tells after its run has ended into the run's incident, and never into another run's", () => {
    const ledger = new Ledger();
    ledger.fold(anXid(79, "c007", T0));
    const lost = aFleetFinding({ atMs: T0 + MINUTE, node: "c007", facts: [{ fact: "node-lost", value: null }], detector: "lost-node" });
    ledger.fold(lost, T0, { run: null });
    expect(ledger.only().run).toBe("lab/base");
    ledger.fold(anXid(95, "c007", T0 + 2 * MINUTE), T0, { run: "lab/other", attempt: "a1" });
    expect(ledger.incidents.map(({ run }) => run)).toEqual(["lab/base", "lab/other"]);
  });

  it("names the attempt that ran there", () => {
    const ledger = new Ledger();
    ledger.fold(anXid(79, "c007", T0), T0, { run: "lab/base", attempt: "a3" });
    expect(ledger.only().attempt).toBe("a3");
    ledger.fold(aHang(10, T0 + MINUTE, { attempt: "a4" }));
    expect(ledger.incidents.map(({ attempt }) => attempt)).toEqual(["a3", "a4"]);
  });

  it("does not take a note that has gone on for days for the cause of a slow step", () => {
    const ledger = new Ledger();
    const warm = aFleetFinding({
      atMs: T0 - 48 * 60 * MINUTE,
      node: "c007",
      facts: [{ fact: "throttled", value: 0.02 }],
      severity: "info",
      detector: "thermal",
    });
    ledger.fold(warm);
    ledger.fold(aSlowStep(10, T0));
    expect(ledger.only().findings).toHaveLength(1);
    const recent = aFleetFinding({
      atMs: T0 - 3 * MINUTE,
      node: "c008",
      facts: [{ fact: "throttled", value: 0.4 }],
      severity: "info",
      detector: "thermal",
    });
    ledger.fold(recent);
    expect([...rolesOf(ledger.only()).values()]).toEqual(["initiator", "note"]);
  });
});

describe("the cost of folding", () => {
  it("folds a finding among 300 open incidents and one of 400 findings in a few milliseconds", () => {
    const ledger = new Ledger();
    for (const finding of burst()) ledger.fold(finding);
    for (let index = 0; index < 300; index++) ledger.fold(anXid(95, `n${index}`, T0 - (index + 1) * 3_600_000), T0);
    expect(ledger.incidents).toHaveLength(301);
    const began = performance.now();
    for (let index = 0; index < 20; index++) ledger.fold(anXid(45, `x${index}`, T0 + 10 * SECOND, { severity: "info" }));
    expect((performance.now() - began) / 20).toBeLessThan(20);
  });
});
